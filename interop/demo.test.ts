import { describe, expect, test } from "vitest";
import { serveDemo } from "./servers.ts";
import { curl } from "./peers/curl.ts";
import { inspector } from "./peers/inspector.ts";
import { officialClient } from "./peers/official-client.ts";

const invalidParams = -32602;
// The inspector's command line prints this in place of the code of every JSON-RPC error.
const anyError = "error";

describe.each([
  { name: "the official client", connect: officialClient, transport: "HTTP", code: invalidParams },
  { name: "the official client", connect: officialClient, transport: "stdio", code: invalidParams },
  { name: "the official inspector", connect: inspector, transport: "HTTP", code: anyError },
  { name: "the official inspector", connect: inspector, transport: "stdio", code: anyError },
  { name: "curl", connect: curl, transport: "HTTP", code: invalidParams },
] as const)("$name over $transport", ({ connect, transport, code }) => {
  test("lists the tools of the demo", async () => {
    await using demo = await serveDemo(transport);
    await using peer = await connect(demo.target);

    expect(await peer.listTools()).toMatchObject({
      tools: [
        { name: "delete_note" },
        { name: "list_tags" },
        { name: "read_note" },
        { name: "save_note" },
        { name: "search_notes" },
      ],
    });
  });

  test("saves, finds, reads and deletes a note", async () => {
    await using demo = await serveDemo(transport);
    await using peer = await connect(demo.target);
    const note = { title: "Tee", text: "Grün, 70 °C", tags: ["küche"] };

    expect(await peer.callTool("save_note", note)).toMatchObject({
      structuredContent: { id: "note-1", revision: 1 },
    });
    expect(await peer.callTool("search_notes", { query: "grün", tag: "küche" })).toMatchObject({
      structuredContent: { notes: [{ id: "note-1", excerpt: note.text }], hasMore: false },
    });
    expect(await peer.callTool("list_tags")).toMatchObject({
      structuredContent: { tags: [{ tag: "küche", notes: 1 }] },
    });
    expect(await peer.callTool("read_note", { id: "note-1" })).toMatchObject({
      content: [{ type: "text", text: note.text }],
      structuredContent: note,
    });
    expect(await peer.callTool("delete_note", { id: "note-1" })).toMatchObject({
      content: [{ type: "text", text: "Deleted note-1." }],
    });
  });

  test("sees an unknown note as a failed result [T3]", async () => {
    await using demo = await serveDemo(transport);
    await using peer = await connect(demo.target);

    expect(await peer.callTool("delete_note", { id: "note-7" })).toMatchObject({
      content: [{ type: "text", text: expect.stringContaining("There is no note note-7.") }],
      isError: true,
    });
  });

  test("sees a malformed id as a JSON-RPC error [T4]", async () => {
    await using demo = await serveDemo(transport);
    await using peer = await connect(demo.target);

    await expect(peer.callTool("delete_note", { id: "seven" })).rejects.toMatchObject({
      code,
      message: 'id must look like "note-17"',
    });
  });
});
