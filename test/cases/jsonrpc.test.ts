import { afterAll, expect, test } from "vitest";
import { commonHeaders, exchange, headersOf, postMessage } from "../support/http.ts";
import { modernRequest, toolCall } from "../support/modern.ts";
import { callText, serveFixture } from "../support/serve.ts";
import { ServerProcess } from "../support/server-process.ts";

const http = await serveFixture();
const { port } = http;
afterAll(() => http.close());

test.each([
  { id: 0, name: "JR01" },
  { id: -1, name: "JR03" },
  { id: 9_007_199_254_740_991, name: "JR04" },
])("answers a request whose id is $id with that id [$name]", async ({ id }) => {
  await using server = new ServerProcess();
  server.write(toolCall("echo", { text: "id" }, id));
  expect(await server.response(id)).toMatchObject({ result: { content: [{ text: "id" }] } });
  expect(server.messages).toHaveLength(1);
});

test("refuses a request whose id is null [JR05]", async () => {
  const message = { ...modernRequest("tools/list"), id: null };
  const { status, message: answer } = await exchange(port, {
    headers: headersOf(modernRequest("tools/list")),
    body: JSON.stringify(message),
  });
  expect(status).toBe(400);
  expect(answer?.error?.code).toBe(-32600);
  expect(answer).not.toHaveProperty("id");
});

test('keeps the id "1" a string [JR07]', async () => {
  const { message } = await postMessage(port, modernRequest("tools/list", {}, "1"));
  expect(message?.id).toBe("1");
});

test("answers two simultaneous requests with the same id each with its own result [JR09]", async () => {
  const [slow, echo] = await Promise.all([
    postMessage(port, toolCall("slow", { ms: 500, key: "A" }, 1)),
    postMessage(port, toolCall("echo", { text: "B" }, 1)),
  ]);
  expect(slow.message).toMatchObject({ id: 1, result: { content: [{ text: "A" }] } });
  expect(echo.message).toMatchObject({ id: 1, result: { content: [{ text: "B" }] } });
});

test("answers every line that is JSON but no request [JR12]", async () => {
  await using server = new ServerProcess();
  server.write(
    [
      '{"id":99,"method":"tools/list","params":{}}',
      '{"jsonrpc":"2.0","id":98,"method_":"tools/list"}',
      '{"jsonrpc":"2.0","id":97,"method":7}',
      '{"jsonrpc":"1.0","id":96,"method":"tools/list"}',
      '"str"',
      "5",
      "null",
      "",
    ].join("\n"),
  );
  server.write(toolCall("echo", { text: "ok" }, 1));
  await server.response(1);
  expect(server.messages.map(({ id, error }) => [id, error?.code])).toEqual([
    [99, -32600],
    [98, -32600],
    [97, -32600],
    [96, -32600],
    [undefined, -32600],
    [undefined, -32600],
    [undefined, -32600],
    [1, undefined],
  ]);
});

test("refuses a batch and runs nothing of it [JR14]", async () => {
  const body = JSON.stringify([
    modernRequest("tools/list", {}, 1),
    modernRequest("tools/list", {}, 2),
  ]);
  const headers = headersOf(modernRequest("tools/list"));
  const { status, message } = await exchange(port, { headers, body });
  expect(status).toBe(400);
  expect(message?.error?.code).toBe(-32600);
});

test("neither runs nor answers a call without an id [JR16]", async () => {
  const { jsonrpc, method, params } = toolCall("bump", { key: "n" });
  const { status, text } = await postMessage(port, { jsonrpc, method, params });
  expect([status, text]).toEqual([202, ""]);
  const { message } = await postMessage(port, toolCall("count", { key: "n" }));
  expect(message?.result?.structuredContent).toMatchObject({ count: 0 });
});

test("is not misled by keys that look like the real ones [JR17]", async () => {
  const { _meta } = toolCall("echo").params;
  const body =
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","Method":"tools/list","params":{"name":"echo",' +
    `"Name":"boom","arguments":{"text":"safe"},"_meta":${JSON.stringify(_meta)}},` +
    '"param\u017f":{"name":"boom"},"PARAMS":{"name":"boom"}}';
  const { message } = await exchange(port, { headers: headersOf(toolCall("echo")), body });
  expect(message).toMatchObject({ id: 1, result: { content: [{ text: "safe" }] } });
});

test("treats __proto__ and constructor as ordinary keys [JR19]", async () => {
  await using server = new ServerProcess();
  const meta = JSON.stringify(toolCall("echo").params["_meta"]).slice(0, -1);
  server.write(
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"t",' +
      '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}},' +
      `"_meta":${meta},"__proto__":{"polluted":1}}},"__proto__":{"id":5}}\n`,
  );
  server.write(toolCall("pollution", {}, 2));
  expect(await server.response(1)).toMatchObject({ result: { content: [{ text: "t" }] } });
  expect(await server.response(2)).toMatchObject({ result: { content: [{ text: "undefined" }] } });
});

test("refuses 50,000 nested arrays within 200 ms [JR21]", async () => {
  const call = JSON.stringify(toolCall("echo", { text: "x", d: "D" }));
  const body = call.replace('"D"', `${"[".repeat(50_000)}0${"]".repeat(50_000)}`);
  const startedAt = performance.now();
  const { status } = await exchange(port, { headers: headersOf(toolCall("echo")), body });
  expect(performance.now() - startedAt).toBeLessThan(200);
  expect(status).toBe(400);
  expect(await callText(port, "echo", { text: "alive" })).toBe("alive");
});

test("refuses arguments that are not an object, and params that are a list [JR23]", async () => {
  for (const args of [null, [1, 2], "a", 7]) {
    const { message } = await postMessage(
      port,
      modernRequest("tools/call", { name: "add", arguments: args }),
    );
    expect(message?.error?.code).toBe(-32602);
  }
  const { status, message } = await exchange(port, {
    headers: [...commonHeaders, ["Mcp-Method", "tools/call"], ["Mcp-Name", "echo"]],
    body: '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":["echo"]}',
  });
  expect([status, message?.id, message?.error?.code]).toEqual([400, 5, -32600]);
});
