import { createServer, tool } from "snodo";
import { serveHttp } from "snodo/node";
import { afterAll, expect, test } from "vitest";
import { type HeaderLines, headersOf, postMessage } from "../support/http.ts";
import { modernRequest, toolCall, withMeta } from "../support/modern.ts";
import { overSocket, serveFixture, statusesOf } from "../support/serve.ts";

const http = await serveFixture();
const { port } = http;
afterAll(() => http.close());

test("refuses a call whose header names another tool and runs neither [HD01]", async () => {
  const { status, message } = await postMessage(port, toolCall("echo", { text: "x" }), {
    headers: [["Mcp-Name", "bump"]],
  });
  expect(status).toBe(400);
  expect(message).toMatchObject({ id: 1, error: { code: -32020 } });
});

test("refuses requests without the headers that mirror them [HD02]", async () => {
  const withoutMethod = await postMessage(port, modernRequest("tools/list"), {
    headers: [["Mcp-Method", ""]],
  });
  expect([withoutMethod.status, withoutMethod.message?.error?.code]).toEqual([400, -32020]);
  for (const [id, missing] of [
    [1, "mcp-method"],
    [2, "mcp-name"],
  ] as const) {
    const call = toolCall("echo", { text: "x" }, id);
    const lines = headersOf(call).filter(([name]) => name.toLowerCase() !== missing);
    const text = await overSocket(port, requestBytes(call, lines));
    expect(statusesOf(text)).toEqual([400]);
    expect(text).toContain(`"id":${id},"error":{"code":-32020`);
  }
});

function requestBytes(message: object, lines: HeaderLines): string {
  const body = JSON.stringify(message);
  const head = [`POST /mcp HTTP/1.1`, `Host: 127.0.0.1:${port}`, `Content-Length: ${body.length}`];
  return [...head, ...lines.map(([name, value]) => `${name}: ${value}`), "", body].join("\r\n");
}

test("refuses a version that nobody knows and names its own [HD04]", async () => {
  const message = withMeta(modernRequest("tools/list"), {
    "io.modelcontextprotocol/protocolVersion": "2099-01-01",
  });
  const reply = await postMessage(port, message, {
    headers: [["MCP-Protocol-Version", "2099-01-01"]],
  });
  expect(reply.status).toBe(400);
  expect(reply.message).toMatchObject({
    id: 1,
    error: { code: -32022, data: { requested: "2099-01-01", supported: ["2026-07-28"] } },
  });
});

// The case reads a resource; a tool of that name takes the same way through the headers.
test("reads names in the Base64 form, of the standard alphabet only [HD05]", async () => {
  const name = "mem://note/测试";
  const named = createServer({
    name: "n",
    version: "1",
    tools: [tool({ name, call: () => "read" })],
  });
  await using server = await serveHttp(named, { port: 0, handleSignals: false });
  const answers = [];
  for (const header of [
    "=?base64?bWVtOi8vbm90ZS/mtYvor5U=?=",
    "=?base64?bWVtOi8vbm90ZS_mtYvor5U=?=",
    "=?base64?###?=",
  ]) {
    const reply = await postMessage(server.port, toolCall(name), {
      headers: [["Mcp-Name", header]],
    });
    answers.push([reply.status, reply.message?.error?.code]);
  }
  expect(answers).toEqual([
    [200, undefined],
    [400, -32020],
    [400, -32020],
  ]);
});

test.each<[number, HeaderLines, number]>([
  [
    3,
    [
      ["Mcp-Param-Region", "us"],
      ["Mcp-Param-Shard", "3"],
      ["Mcp-Param-Dry", "true"],
    ],
    400,
  ],
  [
    3,
    [
      ["Mcp-Param-Shard", "3"],
      ["Mcp-Param-Dry", "true"],
    ],
    400,
  ],
  [
    42,
    [
      ["mcp-param-REGION", "eu"],
      ["Mcp-Param-Shard", "42.0"],
      ["Mcp-Param-Dry", "true"],
    ],
    200,
  ],
  [
    3,
    [
      ["Mcp-Param-Region", "eu"],
      ["Mcp-Param-Shard", "3"],
      ["Mcp-Param-Dry", "TRUE"],
    ],
    400,
  ],
])("compares the arguments (shard %i) with %j [HD09]", async (shard, headers, status) => {
  const call = toolCall("route", { region: "eu", shard, dry: true });
  const reply = await postMessage(port, call, { headers });
  expect(reply.status).toBe(status);
  expect(reply.message?.error?.code).toBe(status === 400 ? -32020 : undefined);
});

test.each([
  ["Mcp-Method: tools/list\r\nMcp-Method: tools/call", 400],
  ["Mcp-Method: tools/list, tools/call", 400],
  ["Mcp-Method:  tools/list  ", 200],
  ["Mcp-Method: Tools/List", 400],
])("reads %j as one exact value [HD13]", async (lines, status) => {
  const message = modernRequest("tools/list");
  const others = headersOf(message).filter(([name]) => name !== "Mcp-Method");
  const bytes = requestBytes(message, others).replace("\r\n\r\n", `\r\n${lines}\r\n\r\n`);
  const text = await overSocket(port, bytes);
  expect(statusesOf(text)).toEqual([status]);
  if (status === 400) expect(text).toContain('"code":-32020');
});

test("refuses a repeated header also when the joined values equal the argument [T12]", async () => {
  const call = toolCall("route", { region: "eu, eu" });
  const lines: HeaderLines = [
    ...headersOf(call),
    ["Mcp-Param-Region", "eu"],
    ["Mcp-Param-Region", "eu"],
  ];
  const text = await overSocket(port, requestBytes(call, lines));
  expect(statusesOf(text)).toEqual([400]);
});
