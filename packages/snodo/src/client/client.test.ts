import { expect, test } from "vitest";
import {
  calling,
  type FakeHttpServer,
  fakeHttpServer,
  listing,
  ok,
  type Script,
  sendError,
  sendResult,
  sendText,
} from "../../../../test/support/fake-http-server.ts";
import { connectToScripts, listAll, plainTool } from "../../../../test/support/scripted-client.ts";
import { connect } from "../transports/connect-node.ts";

function pages(...results: readonly object[]): Script {
  let page = 0;
  return ({ id }, response) => {
    sendResult(response, id, results[Math.min(page, results.length - 1)] ?? {});
    page += 1;
  };
}

test("follows every page; an empty cursor is a cursor", async () => {
  await using peer = await connectToScripts({
    "tools/list": pages(
      { tools: [plainTool("a")], nextCursor: "" },
      { tools: [plainTool("b")], nextCursor: "2" },
      { tools: [plainTool("c")], nextCursor: null },
    ),
  });

  expect((await listAll(peer.client)).map(({ name }) => name)).toEqual(["a", "b", "c"]);
  const cursors = peer.server.of("tools/list").map(({ message }) => message.params.cursor);
  expect(cursors).toEqual([undefined, "", "2"]);
});

test("stops at a repeated cursor", async () => {
  await using peer = await connectToScripts({
    "tools/list": pages({ tools: [], nextCursor: "again" }),
  });

  await expect(listAll(peer.client)).rejects.toMatchObject({ reason: "protocol" });
  expect(peer.server.of("tools/list")).toHaveLength(2);
});

test("stops after maxPages pages and names the option", async () => {
  let cursor = 0;
  const endless: Script = ({ id }, response) =>
    sendResult(response, id, { tools: [], nextCursor: String((cursor += 1)) });
  await using peer = await connectToScripts({ "tools/list": endless }, { maxPages: 3 });

  await expect(listAll(peer.client)).rejects.toMatchObject({
    reason: "limit",
    message: "The list has more than 3 pages (option maxPages)",
  });
});

const annotated = (name: string, property: object, more: object = {}): object => ({
  name,
  inputSchema: { type: "object", properties: { p: property }, ...more },
});

test("leaves tools with bad header annotations out and says why, once each [HD11]", async () => {
  const region = { type: "string", "x-mcp-header": "Region" };
  await using peer = await connectToScripts({
    "tools/list": listing(
      annotated("ok", region),
      annotated("number", { type: "number", "x-mcp-header": "Score" }),
      annotated("empty", { type: "string", "x-mcp-header": "" }),
      annotated("space", { type: "string", "x-mcp-header": "a b" }),
      annotated("colon", { type: "string", "x-mcp-header": "a:b" }),
      annotated("crlf", { type: "string", "x-mcp-header": "a\r\nX: y" }),
      annotated("dup", region, {
        properties: { p: region, q: { type: "string", "x-mcp-header": "REGION" } },
      }),
      annotated("in items", { type: "array", items: { type: "string", "x-mcp-header": "X" } }),
      annotated("under oneOf", {}, { oneOf: [{ properties: { a: region } }] }),
      annotated("via $ref", { $ref: "#/$defs/d" }, { $defs: { d: region } }),
      annotated("object type", { type: "object", "x-mcp-header": "X" }),
      annotated("nonascii", { type: "string", "x-mcp-header": "é" }),
    ),
  });

  const names = (await listAll(peer.client)).map(({ name }) => name);
  await listAll(peer.client);

  expect(names).toEqual(["ok"]);
  expect(peer.client.problems.map(({ name }) => name)).toEqual([
    "number",
    "empty",
    "space",
    "colon",
    "crlf",
    "dup",
    "in items",
    "under oneOf",
    "via $ref",
    "object type",
    "nonascii",
  ]);
  expect(peer.client.problems[0]?.reason).toMatch(/^inputSchema\/properties\/p\/x-mcp-header: /);
  expect(peer.warnings).toHaveLength(11);
  expect(peer.warnings[0]).toMatchObject({
    kind: "tool-dropped",
    message: expect.stringContaining('tool "number" is left out: '),
  });
});

test("leaves unusable entries out and keeps the rest of the list", async () => {
  await using peer = await connectToScripts({
    "tools/list": listing(
      null as unknown as object,
      { inputSchema: { type: "object" } },
      { name: "no schema" },
      { ...plainTool("bad title"), title: 7 },
      plainTool("good"),
      plainTool("good"),
      { ...plainTool("extra"), vendor: { kept: true } },
    ),
  });

  expect(await listAll(peer.client)).toEqual([
    plainTool("good"),
    { ...plainTool("extra"), vendor: { kept: true } },
  ]);
  expect(peer.client.problems).toEqual([
    { name: "tools[0]", reason: "is not an object" },
    { name: "tools[1]", reason: "name must be a non-empty string" },
    { name: "no schema", reason: "inputSchema must be an object" },
    { name: "bad title", reason: "title must be a string" },
    { name: "good", reason: "has the name of another tool" },
  ]);
});

function parametersOf(server: FakeHttpServer): (Record<string, unknown> | undefined)[] {
  return server.of("tools/call").map(({ headers }) => {
    const mirrored = Object.entries(headers).filter(([name]) => name.startsWith("mcp-param-"));
    return Object.fromEntries(mirrored);
  });
}

test("encodes names that a header cannot carry [HD07]", async () => {
  const names = ["天気", " pad ", "a\nb", "=?base64?x?=", "naïve", "plain.name"];
  const tools = names.map((name) => ({ name, inputSchema: { type: "object" } }));
  await using server = await fakeHttpServer({
    "tools/list": listing(...tools),
    "tools/call": calling(ok),
  });
  await using client = await connect(server.url);

  for await (const { name } of client.listTools()) await client.callTool(name);

  expect(server.of("tools/call").map(({ headers }) => headers["mcp-name"])).toEqual([
    "=?base64?5aSp5rCX?=",
    "=?base64?IHBhZCA=?=",
    "=?base64?YQpi?=",
    "=?base64?PT9iYXNlNjQ/eD89?=",
    "=?base64?bmHDr3Zl?=",
    "plain.name",
  ]);
});

const deepTool = {
  name: "n",
  inputSchema: {
    type: "object",
    properties: {
      a: { type: "object", properties: { b: { type: "string", "x-mcp-header": "Deep" } } },
    },
  },
};

test("mirrors nested arguments and leaves absent and null ones out [HD12]", async () => {
  await using server = await fakeHttpServer({
    "tools/list": listing(deepTool),
    "tools/call": calling(ok),
  });
  await using client = await connect(server.url);
  for await (const _ of client.listTools());

  await client.callTool("n", { a: { b: "v" } });
  await client.callTool("n", { a: {} });
  await client.callTool("n", { a: { b: null } });

  expect(parametersOf(server)).toEqual([{ "mcp-param-deep": "v" }, {}, {}]);
});

test("reads the list once and repeats once, with a new id, when headers are refused [HD12]", async () => {
  await using server = await fakeHttpServer({
    "tools/list": listing(deepTool),
    "tools/call": ({ id }, response) => sendError(response, id, { status: 400, code: -32020 }),
  });
  await using client = await connect(server.url);

  await expect(client.callTool("n", { a: { b: "v" } })).rejects.toMatchObject({
    name: "RpcError",
    code: -32020,
  });

  const sent = server.received.map(({ message }) => `${message.method} ${message.id}`);
  expect(sent).toEqual(["server/discover 1", "tools/call 2", "tools/list 3", "tools/call 4"]);
  expect(parametersOf(server)).toEqual([{}, { "mcp-param-deep": "v" }]);
});

test("keeps text byte for byte and warns of integers that JavaScript rounds [NU01]", async () => {
  const body = (id: number): string =>
    `{"jsonrpc":"2.0","id":${id},"result":{"resultType":"complete","content":[{"type":"text","text":"{\\"id\\":1915883588174806058}"}],"structuredContent":{"list":[{"id":1915883588174806058}]}}}`;
  await using peer = await connectToScripts({
    "tools/call": ({ id }, response) => sendText(response, body(id)),
  });

  const { content } = await peer.client.callTool("t");

  expect(content).toEqual([{ type: "text", text: '{"id":1915883588174806058}' }]);
  expect(peer.warnings).toEqual([
    {
      kind: "number-rounded",
      message:
        'structuredContent/list/0/id of tool "t" is an integer that JavaScript may have rounded',
    },
  ]);
});

test.each([
  ["a result type that it does not know", { resultType: "input_required" }, "unsupported-result"],
  ["content that is not an array", { content: "hi" }, "protocol"],
  ["a block without a type", { content: [{}] }, "protocol"],
  ["an isError that is not a boolean", { ...ok, isError: "no" }, "protocol"],
])("rejects %s", async (_, result, reason) => {
  await using peer = await connectToScripts({ "tools/call": calling(result) });

  await expect(peer.client.callTool("t")).rejects.toMatchObject({ reason });
});

test("takes a result without a resultType as complete", async () => {
  await using peer = await connectToScripts({
    "tools/call": ({ id }, response) =>
      sendText(response, JSON.stringify({ jsonrpc: "2.0", id, result: ok })),
  });

  expect(await peer.client.callTool("t")).toEqual({ ...ok, isError: false });
});

test("refuses an answer that is nested too deeply, without overflowing", async () => {
  await using peer = await connectToScripts({
    "tools/call": ({ id }, response) =>
      sendText(
        response,
        `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"structuredContent":${"[".repeat(100_000)}${"]".repeat(100_000)}}}`,
      ),
  });

  await expect(peer.client.callTool("t")).rejects.toMatchObject({ reason: "limit" });
});

test("says which revisions a server supports when there is none in common", async () => {
  await using server = await fakeHttpServer({
    "server/discover": ({ id }, response) =>
      sendResult(response, id, { supportedVersions: ["2099-01-01"], capabilities: {} }),
  });

  await expect(connect(server.url)).rejects.toMatchObject({
    reason: "protocol",
    message: "The server supports 2099-01-01; this client speaks 2026-07-28",
  });
});

test.each([
  [{ timeoutMs: 0 }, "timeoutMs"],
  [{ totalTimeoutMs: Number.POSITIVE_INFINITY }, "totalTimeoutMs"],
  [{ maxPages: 1.5 }, "maxPages"],
  [{ maxCatalogLength: 0 }, "maxCatalogLength"],
  [{ maxResponseBytes: -1 }, "maxResponseBytes"],
])("refuses the options %o", async (options, name) => {
  await expect(connect("http://127.0.0.1:1/", options)).rejects.toThrow(`The option ${name} must`);
});

test("keeps tools up to maxCatalogLength, of the newest list if need be", async () => {
  const big = (name: string): object => ({ ...plainTool(name), description: "x".repeat(600) });
  await using peer = await connectToScripts(
    {
      "tools/list": pages(
        { tools: [big("a"), big("b"), plainTool("c")] },
        { tools: [big("d"), big("e"), plainTool("f")] },
        { tools: [big("g"), big("h"), big("i"), big("j")] },
      ),
    },
    { maxCatalogLength: 2_000 },
  );

  expect(await listAll(peer.client)).toHaveLength(3);
  expect(await listAll(peer.client)).toHaveLength(3);
  await expect(listAll(peer.client)).rejects.toMatchObject({
    reason: "limit",
    message: "The tools have more than 2000 characters of JSON (option maxCatalogLength)",
  });
});

test("refuses a cursor that is too long to be kept", async () => {
  await using peer = await connectToScripts({
    "tools/list": pages({ tools: [], nextCursor: "x".repeat(16_385) }),
  });

  await expect(listAll(peer.client)).rejects.toMatchObject({ reason: "protocol" });
});

test("shows names and reasons of the server escaped and cut", async () => {
  const name = `\u001b[2Jfake\n${"x".repeat(1_000)}`;
  await using peer = await connectToScripts({ "tools/list": listing({ name }) });

  await listAll(peer.client);

  const [problem] = peer.client.problems;
  expect(problem?.name).toMatch(/^\\u\{1b\}\[2Jfake\\u\{a\}x+…$/);
  expect(peer.warnings[0]?.message).toMatch(/^tool "\\u\{1b\}\[2Jfake[\x20-\x7e]+…" is left out: /);
});

test("gives up connecting when its signal is aborted", async () => {
  const controller = new AbortController();
  await using server = await fakeHttpServer({
    "server/discover": () => controller.abort("too slow"),
  });

  await expect(connect(server.url, { signal: controller.signal })).rejects.toBe("too slow");
});
