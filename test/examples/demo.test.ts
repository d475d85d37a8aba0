import { execFileSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { openNotes } from "../../examples/demo/src/notes.ts";
import { temporaryFolder } from "../support/folder.ts";
import { modernRequest, post, StdioPeer, toAnswer, toolCall } from "../support/modern.ts";

const main = fileURLToPath(new URL("../../examples/demo/dist/main.js", import.meta.url));

function startStdio(data: string): StdioPeer {
  return new StdioPeer([main, "--stdio", "--data", data]);
}

async function startHttp(data: string): Promise<{ peer: StdioPeer; url: string }> {
  const peer = new StdioPeer([main, "--port", "0", "--data", data]);
  const [, url = ""] = await peer.untilStderr(/Notes server on (\S+), [^]*\n {2}\{.*--stdio.*\n/);
  return { peer, url };
}

/** Reads a copy of the main file alone, as a backup would have it. */
async function notesInFileOf(data: string): Promise<readonly object[]> {
  const copy = temporaryFolder();
  copyFileSync(join(data, "notes.sqlite"), join(copy, "notes.sqlite"));
  const notes = await openNotes(copy);
  const found = notes.search("").notes;
  notes.close();
  return found;
}

const list = { title: "Shopping", text: "Oat milk, bread", tags: ["Home", "food", "home"] };

describe("the demo over stdio", () => {
  test("saves, finds, reads, lists and deletes", async () => {
    await using peer = startStdio(temporaryFolder());

    expect(await peer.request(toolCall("save_note", list, "a"))).toMatchObject({
      id: "a",
      result: { structuredContent: { id: "note-1", revision: 1 } },
    });
    expect(
      await peer.request(toolCall("search_notes", { query: "MILK", tag: "Food" })),
    ).toMatchObject({
      result: {
        structuredContent: {
          notes: [{ id: "note-1", title: "Shopping", tags: ["food", "home"], excerpt: list.text }],
          hasMore: false,
        },
      },
    });
    expect(await peer.request(toolCall("read_note", { id: "note-1" }))).toMatchObject({
      result: {
        content: [{ type: "text", text: list.text }],
        structuredContent: { ...list, id: "note-1", tags: ["food", "home"], revision: 1 },
      },
    });
    expect(await peer.request(toolCall("list_tags"))).toMatchObject({
      result: {
        structuredContent: {
          tags: [
            { tag: "food", notes: 1 },
            { tag: "home", notes: 1 },
          ],
        },
      },
    });
    expect(await peer.request(toolCall("delete_note", { id: "note-1" }))).toMatchObject({
      result: { content: [{ type: "text", text: "Deleted note-1." }] },
    });
    expect(await peer.request(toolCall("search_notes", { query: "milk" }))).toMatchObject({
      result: { structuredContent: { notes: [], hasMore: false } },
    });
  });

  test("replaces the note of the same title, which keeps its id", async () => {
    await using peer = startStdio(temporaryFolder());
    await peer.request(toolCall("save_note", list));

    expect(
      await peer.request(toolCall("save_note", { title: " Shopping ", text: "Tea" })),
    ).toMatchObject({
      result: { structuredContent: { id: "note-1", revision: 2 } },
    });
    expect(await peer.request(toolCall("read_note", { id: "note-1" }))).toMatchObject({
      result: { structuredContent: { text: "Tea", tags: [] } },
    });
  });

  test("reports an unknown note as a failed result [T3]", async () => {
    await using peer = startStdio(temporaryFolder());

    expect(await peer.request(toolCall("delete_note", { id: "note-7" }))).toMatchObject({
      result: {
        content: [{ type: "text", text: "There is no note note-7. search_notes gives the ids." }],
        isError: true,
      },
    });
  });

  test("refuses a malformed id with a JSON-RPC error [T4]", async () => {
    await using peer = startStdio(temporaryFolder());

    expect(await peer.request(toolCall("delete_note", { id: "seven" }))).toEqual({
      jsonrpc: "2.0",
      id: 1,
      error: { code: -32602, message: 'id must look like "note-17"' },
    });
  });

  test.each([
    ["a title of 201 characters", { title: "x".repeat(201), text: "" }, "/title"],
    ["no title but blanks", { title: "  ", text: "" }, "/title"],
    ["a text of 100,001 characters", { title: "x", text: "x".repeat(100_001) }, "/text"],
    ["a text with NUL", { title: "x", text: "a\0b" }, "/text"],
    ["21 tags", { title: "x", text: "", tags: Array.from({ length: 21 }, String) }, "/tags"],
  ])("refuses %s [T9]", async (_name, draft, place) => {
    await using peer = startStdio(temporaryFolder());

    expect(await peer.request(toolCall("save_note", draft))).toMatchObject({
      result: { content: [{ text: expect.stringContaining(`at ${place}:`) }], isError: true },
    });
    expect(await peer.request(toolCall("search_notes", { query: "" }))).toMatchObject({
      result: { structuredContent: { notes: [] } },
    });
  });

  test("publishes the mirrored header and honest hints [T12]", async () => {
    await using peer = startStdio(temporaryFolder());

    expect(await peer.request(modernRequest("tools/list"))).toMatchObject({
      result: {
        tools: [
          { name: "delete_note", annotations: { destructiveHint: true, idempotentHint: true } },
          { name: "list_tags", annotations: { readOnlyHint: true } },
          {
            name: "read_note",
            annotations: { readOnlyHint: true },
            inputSchema: { properties: { id: { type: "string", "x-mcp-header": "Note-Id" } } },
          },
          { name: "save_note", annotations: { destructiveHint: true, idempotentHint: true } },
          {
            name: "search_notes",
            annotations: { readOnlyHint: true },
            outputSchema: { type: "object" },
          },
        ],
      },
    });
  });

  test("keeps what it has confirmed when it is killed", async () => {
    const data = temporaryFolder();
    await using first = startStdio(data);
    await first.request(toolCall("save_note", list));
    await first.end("SIGKILL");
    await using second = startStdio(data);

    expect(await second.request(toolCall("search_notes", { query: "bread" }))).toMatchObject({
      result: { structuredContent: { notes: [{ id: "note-1", title: "Shopping" }] } },
    });
  });

  test("leaves all notes in one file when stdin ends", async () => {
    const data = temporaryFolder();
    await using peer = startStdio(data);
    await peer.request(toolCall("save_note", list));

    expect(await peer.end()).toBe(0);
    expect(await notesInFileOf(data)).toMatchObject([{ title: "Shopping" }]);
  });

  test("shares its folder with other processes, from the first start on", async () => {
    const data = temporaryFolder();
    await using first = startStdio(data);
    await using second = startStdio(data);
    const drafts = Array.from({ length: 10 }, (_, index) => index);
    await Promise.all(
      [first, second].flatMap((peer, owner) =>
        drafts.map((index) =>
          peer.request(
            toolCall("save_note", { title: `${owner}/${index}`, text: "shared" }, index),
          ),
        ),
      ),
    );

    for (const peer of [first, second]) {
      const answer = await peer.request(toolCall("search_notes", { query: "shared" }));
      expect(answer).toMatchObject({ result: { structuredContent: { notes: { length: 20 } } } });
    }
  });
});

describe("the demo over HTTP", () => {
  test("prints a curl line that works", async () => {
    const { peer, url } = await startHttp(temporaryFolder());
    await using _peer = peer;
    const [, command = ""] = await peer.untilStderr(/ (curl [^]*?\n.*\n.*-d .*)\n/);
    const headers = [...command.matchAll(/-H '(.*?): (.*?)'/g)].map(([, name = "", value = ""]) => [
      name,
      value,
    ]);
    const body = /-d '(.*)'/.exec(command)?.[1] ?? "";
    const answer = await fetch(url, { method: "POST", headers: Object.fromEntries(headers), body });

    expect(await toAnswer(answer)).toMatchObject({
      status: 200,
      body: { result: { tools: { length: 5 } } },
    });
  });

  test("wants the id of read_note in a header too [T12]", async () => {
    const { peer, url } = await startHttp(temporaryFolder());
    await using _peer = peer;
    await post(url, toolCall("save_note", list));
    const call = toolCall("read_note", { id: "note-1" });
    const refusal = { status: 400, body: { id: 1, error: { code: -32020 } } };

    expect(await post(url, call)).toMatchObject(refusal);
    expect(await post(url, call, { "mcp-param-note-id": "note-2" })).toMatchObject(refusal);
    expect(await post(url, call, { "mcp-param-note-id": "note-1" })).toMatchObject({
      status: 200,
      body: { result: { structuredContent: { title: "Shopping" } } },
    });
  });

  test("answers both kinds of failure with status 200 [T3, T4]", async () => {
    const { peer, url } = await startHttp(temporaryFolder());
    await using _peer = peer;

    expect(await post(url, toolCall("delete_note", { id: "note-7" }))).toMatchObject({
      status: 200,
      body: { result: { isError: true } },
    });
    expect(await post(url, toolCall("delete_note", { id: "" }))).toMatchObject({
      status: 200,
      body: { error: { code: -32602 } },
    });
  });

  test("leaves all notes in one file on SIGTERM", async () => {
    const data = temporaryFolder();
    const { peer, url } = await startHttp(data);
    await using _peer = peer;
    await post(url, toolCall("save_note", list));

    expect(await peer.end("SIGTERM")).toBe(0);
    expect(await notesInFileOf(data)).toMatchObject([{ title: "Shopping" }]);
  });

  test("names --port when the port is taken", async () => {
    const { peer: owner, url } = await startHttp(temporaryFolder());
    await using _owner = owner;
    const { port } = new URL(url);
    await using peer = new StdioPeer([main, "--port", port, "--data", temporaryFolder()]);

    expect(await peer.exitCode()).toBe(1);
    expect(peer.stderr).toBe(`Port ${port} is taken; choose another one with --port\n`);
  });
});

test.each([
  [["--port", "http"], "--port takes 0 to 65535"],
  [["--port", "65536"], "--port takes 0 to 65535"],
  [["--prot", "1"], "Unknown option '--prot'"],
])("refuses the arguments %j", async (args, message) => {
  await using peer = new StdioPeer([main, ...args]);

  expect(await peer.exitCode()).toBe(1);
  expect(peer.stderr).toContain(message);
});

test("explains its options on stdout", () => {
  const usage = execFileSync(process.execPath, [main, "--help"], { encoding: "utf8" });

  expect(usage).toMatch(/--port N .*default 3000/);
  expect(usage).toContain("npm start -- --port 8080");
});
