import { once } from "node:events";
import { type AddressInfo, connect, createServer as createNetServer } from "node:net";
import { basic, createServer, tool } from "snodo";
import { toFetch } from "snodo/http";
import { jsonSchema } from "snodo/json-schema";
import { expect, test } from "vitest";
import { z } from "zod";
import { postMessage } from "../support/http.ts";
import { modernRequest, requestInit, toAnswer, toolCall } from "../support/modern.ts";
import { callText, serveFixture } from "../support/serve.ts";
import { assertWire, type ServerMessage } from "../support/wire.ts";

type AnyTools = NonNullable<Parameters<typeof createServer>[0]["tools"]>;

/** What a server with these tools answers. */
async function ask(tools: AnyTools, request = modernRequest("tools/list")): Promise<ServerMessage> {
  const handler = toFetch(
    createServer({ name: "s", version: "1", validator: jsonSchema(), tools }),
  );
  const { body } = await toAnswer(
    await handler(new Request("http://localhost/", requestInit(request))),
  );
  assertWire(body);
  return body;
}

async function schemaOf(tools: AnyTools): Promise<Readonly<Record<string, unknown>>> {
  const { result } = await ask(tools);
  return { ...result?.tools?.[0]?.inputSchema };
}

/** Every `$ref` in a schema. */
function refsIn(schema: object): readonly string[] {
  return [...JSON.stringify(schema).matchAll(/"\$ref":"([^"]*)"/g)].map(([, ref]) => ref ?? "");
}

test("publishes shared and recursive parts with references inside the document [SC01]", async () => {
  const address = z.object({ street: z.string() }).meta({ id: "Address" });
  const node = z.object({
    name: z.string(),
    get children() {
      return z.array(node);
    },
  });
  const input = z.object({ home: address, work: address, tree: node.optional() });
  const tools = [tool({ name: "t", input, call: () => "ok" })];
  const schema = await schemaOf(tools);
  const refs = refsIn(schema);
  expect(refs.length).toBeGreaterThan(0);
  for (const ref of refs) {
    expect(ref).toMatch(/^#\/\$defs\//);
    expect(schema["$defs"]).toHaveProperty([ref.slice("#/$defs/".length)]);
  }
  const home = { street: "a" };
  for (const args of [
    { home: "x", work: home },
    { home, work: home, tree: { name: "r", children: [{ name: 1, children: [] }] } },
  ]) {
    const { result } = await ask(tools, toolCall("t", args));
    expect(result?.isError).toBe(true);
  }
  const { result } = await ask(tools, toolCall("t", { home, work: home }));
  expect(result?.content?.[0]?.text).toBe("ok");
});

test.each([
  { $schema: "https://json-schema.org/draft/2020-12/schema" },
  { $schema: "http://json-schema.org/draft-07/schema" },
  { $schema: "http://json-schema.org/draft-07/schema#" },
  { $schema: "https://json-schema.org/draft-07/schema#" },
])("enforces a schema of a known dialect: $$schema [SC04]", async ({ $schema }) => {
  const input = { $schema, type: "object", properties: { a: { type: "string" } } } as const;
  const tools = [tool({ name: "t", input, call: () => "ok" })];
  expect((await ask(tools, toolCall("t", { a: "x" }))).result?.isError).toBeUndefined();
  expect((await ask(tools, toolCall("t", { a: 1 }))).result?.isError).toBe(true);
});

test.each([
  "http://json-schema.org/draft-04/schema#",
  "http://json-schema.org/draft-06/schema#",
  "https://json-schema.org/draft/2019-09/schema",
  "https://example.com/none",
])("refuses to build a server with a schema of the dialect %s [SC04]", ($schema) => {
  const tools = [tool({ name: "t", input: { $schema, type: "object" }, call: () => "ok" })];
  const build = (): unknown =>
    createServer({ name: "s", version: "1", validator: jsonSchema(), tools });
  expect(build).toThrow(/tool "t".*(?:dialect|\$schema)/s);
});

test("refuses a schema that refers elsewhere and fetches nothing [SC04]", async () => {
  let connections = 0;
  await using listener = createNetServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;
  const $ref = `http://127.0.0.1:${port}/schema`;
  const input = { type: "object", properties: { a: { $ref } } } as const;
  const tools = [tool({ name: "t", input, call: () => "ok" })];
  expect(() => createServer({ name: "s", version: "1", validator: jsonSchema(), tools })).toThrow(
    /tool "t".*(?:reference|\$ref)/s,
  );
  createServer({ name: "s", version: "1", validator: basic, tools });
  await touch(port);
  expect(connections).toBe(1);
});

/** Makes sure that whatever was on its way has arrived. */
async function touch(port: number): Promise<void> {
  await once(
    connect(port, "127.0.0.1").on("error", () => undefined),
    "close",
  );
}

const everything = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: {
    a: { type: ["string", "null"], default: null, description: "d", deprecated: true },
    b: { const: 1 },
    c: { oneOf: [{ type: "string" }, { type: "integer" }], anyOf: [true], allOf: [{}], not: false },
    d: { if: { type: "string" }, then: { minLength: 1 }, else: { minimum: 0, maximum: 9 } },
    e: { type: "array", prefixItems: [{ type: "number", multipleOf: 2 }], items: false },
    f: {
      type: "string",
      format: "date",
      examples: ["2026-07-28"],
      "x-mcp-header": "F",
      "x-own": 1,
    },
    g: { $ref: "#/$defs/g" },
  },
  patternProperties: { "^x-": { type: "string" } },
  additionalProperties: false,
  dependentRequired: { a: ["b"] },
  $defs: { g: { type: "boolean" } },
  "x-unknown": { nested: [1] },
} as const;

test("publishes a raw schema with every keyword in its place [SC05]", async () => {
  const schema = await schemaOf([tool({ name: "t", input: everything, call: () => "ok" })]);
  expect(JSON.stringify(schema)).toBe(JSON.stringify(everything));
});

test("publishes the input side of a library's schema with its annotations [SC05]", async () => {
  const input = z.object({
    region: z.string().min(2).describe("where").meta({ "x-mcp-header": "Region" }),
    count: z.int().default(5),
    old: z.string().optional().meta({ deprecated: true }),
  });
  expect(await schemaOf([tool({ name: "t", input, call: () => "ok" })])).toMatchObject({
    type: "object",
    properties: {
      region: { type: "string", minLength: 2, description: "where", "x-mcp-header": "Region" },
      count: { type: "integer", default: 5 },
      old: { type: "string", deprecated: true },
    },
    required: ["region"],
  });
});

test.each([
  ["none", tool({ name: "t", call: (args) => JSON.stringify(args) })],
  [
    "an empty object of a library",
    tool({ name: "t", input: z.object({}), call: (args) => JSON.stringify(args) }),
  ],
  [
    "a bare object",
    tool({ name: "t", input: { type: "object" }, call: (args) => JSON.stringify(args) }),
  ],
])("serves a tool whose schema is %s, with and without arguments [SC07]", async (_what, own) => {
  expect(await schemaOf([own])).toMatchObject({ type: "object" });
  for (const params of [{ name: "t", arguments: {} }, { name: "t" }]) {
    const { result } = await ask([own], modernRequest("tools/call", params));
    expect(result?.content?.[0]?.text).toBe("{}");
  }
});

test("refuses an input schema that is empty, saying what is missing [SC07]", () => {
  const input = {} as { readonly type: "object" };
  expect(() => tool({ name: "t", input, call: () => "ok" })).toThrow(/\/inputSchema\/type/);
});

test("tells wrong arguments, unknown tools, wrong requests and faults apart [SC10]", async () => {
  await using server = await serveFixture();
  const { port } = server;
  expect(await callText(port, "add", { a: "x" })).toMatch(/\bb\b/);
  expect(await callText(port, "add", { a: "x", b: 1 })).toContain("/a");
  expect(await callText(port, "nosuch")).toBe(-32602);
  const nameless = await postMessage(port, modernRequest("tools/call", { arguments: {} }, 3), {
    headers: [["Mcp-Name", ""]],
  });
  expect(nameless.message).toMatchObject({ id: 3, error: { code: -32602 } });
  const boom = await postMessage(port, toolCall("boom", {}, 4));
  expect(boom.message).toMatchObject({ id: 4, result: { isError: true } });
  expect(boom.text).not.toMatch(/hunter2|\/srv|x\.ts/);
});
