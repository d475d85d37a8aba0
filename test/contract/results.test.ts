import {
  audio,
  basic,
  content,
  createServer,
  embedded,
  failure,
  image,
  raw,
  resourceLink,
  structured,
  text,
  tool,
  type JsonObject,
} from "snodo";
import { jsonSchema } from "snodo/json-schema";
import { expect, test } from "vitest";
import { z } from "zod";
import { call } from "./call.ts";

function serverOf(handler: () => unknown, outputSchema?: JsonObject) {
  const faults: unknown[] = [];
  const base = {
    name: "act",
    inputSchema: { type: "object" } as const,
    annotations: {},
    call: handler,
  };
  const server = createServer({
    name: "contract",
    version: "1",
    validator: jsonSchema(),
    tools: [outputSchema === undefined ? base : { ...base, outputSchema }],
    onError: (error) => faults.push(error),
  });
  return { server, faults };
}

async function contentOf(handler: () => unknown) {
  const { result } = await call(serverOf(handler).server, "act");
  const { _meta, resultType: _resultType, ...rest } = result;
  return rest;
}

test("returns a string as one text block [T14]", async () => {
  expect(await contentOf(() => "hello")).toEqual({ content: [{ type: "text", text: "hello" }] });
});

test("returns nothing as empty content [T14]", async () => {
  expect(await contentOf(() => undefined)).toEqual({ content: [] });
});

test.each([[{ sum: 3 }], [[1, 2]], [0], [false], [null], [12.5]])(
  "returns %j as structured content with its JSON beside it [T14]",
  async (value) => {
    expect(await contentOf(() => value)).toEqual({
      content: [{ type: "text", text: JSON.stringify(value) }],
      structuredContent: value,
    });
  },
);

test("puts the tool's own rendering beside structured content [T14]", async () => {
  const add = tool({
    name: "add",
    text: (data) => `The sum is ${(data as { sum: number }).sum}`,
    call: () => ({ sum: 3 }),
  });
  const server = createServer({ name: "contract", version: "1", tools: [add] });
  expect((await call(server, "add")).text).toBe("The sum is 3");
});

test("sends what the result builders made as built [T14]", async () => {
  const png = new Uint8Array([137, 80, 78, 71]);
  const built = content(
    "intro",
    image(png, "image/png"),
    audio("UklGRg==", "audio/wav", { annotations: { priority: 1 } }),
    resourceLink({ uri: "file:///a", name: "a" }),
    embedded({ uri: "file:///b", text: "b" }),
  );
  expect((await contentOf(() => built)).content).toEqual([
    { type: "text", text: "intro" },
    { type: "image", data: "iVBORw==", mimeType: "image/png" },
    { type: "audio", data: "UklGRg==", mimeType: "audio/wav", annotations: { priority: 1 } },
    { type: "resource_link", uri: "file:///a", name: "a" },
    { type: "resource", resource: { uri: "file:///b", text: "b" } },
  ]);
});

test("takes raw results as they are and fills in only what is missing [T14]", async () => {
  expect(await contentOf(() => raw({ structuredContent: null }))).toEqual({
    content: [],
    structuredContent: null,
  });
  expect(await contentOf(() => raw({ content: [], isError: true }))).toEqual({
    content: [],
    isError: true,
  });
});

test("merges a result's own _meta under the server's [T14]", async () => {
  const meta = { "com.example/cost": 3, "io.modelcontextprotocol/serverInfo": { name: "forged" } };
  const { result } = await call(serverOf(() => text("x", { meta })).server, "act");
  expect(result["_meta"]).toEqual({
    "com.example/cost": 3,
    "io.modelcontextprotocol/serverInfo": { name: "contract", version: "1" },
  });
});

const cyclic: Record<string, unknown> = {};
cyclic["self"] = cyclic;

test.each([
  ["a bigint", 1n],
  ["NaN", Number.NaN],
  ["a function", () => 1],
  ["a symbol", Symbol("x")],
  ["a Date", new Date(0)],
  ["a Map", new Map()],
  ["a cycle", cyclic],
  ["undefined in an array", [undefined]],
  ["a nested bigint", { deep: [{ n: 1n }] }],
])("answers -32603 for %s and tells only the operator where it is [T14]", async (_, value) => {
  const { server, faults } = serverOf(() => value);
  const response = await call(server, "act");
  expect(response.error).toEqual({ code: -32603, message: "The tool gave an invalid result" });
  expect(String(faults[0])).toMatch(/The tool's result/);
});

test.each([
  ["structured()", () => structured({ n: 1 })],
  ["a plain value", () => ({ n: 1 })],
  ["raw()", () => raw({ structuredContent: { n: 1 }, content: [] })],
])("takes structured content from %s for an output schema [T13]", async (_, handler) => {
  const { server } = serverOf(handler, { type: "object", required: ["n"] });
  expect((await call(server, "act")).result.structuredContent).toEqual({ n: 1 });
});

test.each([
  ["text", () => "plain"],
  ["nothing", () => undefined],
  ["content blocks", () => content("a")],
  ["raw without it", () => raw({ content: [] })],
])("answers -32603 when %s comes in place of structured content [T13]", async (_, handler) => {
  const { server, faults } = serverOf(handler, { type: "object" });
  const response = await call(server, "act");
  expect(response.error).toEqual({ code: -32603, message: "The tool gave an invalid result" });
  expect(String(faults[0])).toContain("no structured content");
});

test("enforces that structured content is there with the pass-through validator, too [T13]", async () => {
  const server = createServer({
    name: "contract",
    version: "1",
    onError: () => {},
    tools: [
      {
        name: "act",
        inputSchema: { type: "object" },
        outputSchema: { type: "object" },
        annotations: {},
        call: () => "text",
      },
    ],
  });
  expect((await call(server, "act")).error.code).toBe(-32603);
});

test("takes a property that is undefined as absent [T13][T14]", async () => {
  const schema = {
    type: "object",
    properties: { n: { type: "number" } },
    additionalProperties: false,
  };
  const { server } = serverOf(() => ({ n: 1, note: undefined }), schema);
  expect((await call(server, "act")).result.structuredContent).toEqual({ n: 1 });
});

test("keeps a broken output and its detail from the caller [T13]", async () => {
  const { server, faults } = serverOf(() => ({ t: "hunter2" }), {
    type: "object",
    properties: { t: { type: "number" } },
  });
  const response = await call(server, "act");
  expect(response.error).toEqual({ code: -32603, message: "The tool gave an invalid result" });
  expect(String(faults[0])).toContain("/t: ");
});

test.each([
  [[1], { type: "array" }],
  ["x", { type: "string" }],
  [0, { type: "integer" }],
  [false, { type: "boolean" }],
  [null, { type: "null" }],
  ["", { const: "" }],
])("sends %j exactly under a schema for it [T13][ST03]", async (value, schema) => {
  const { server } = serverOf(() => structured(value), schema);
  expect((await call(server, "act")).result.structuredContent).toStrictEqual(value);
});

test("does not check the output of a failure [T13]", async () => {
  const { server } = serverOf(() => failure("upstream is down"), {
    type: "object",
    required: ["n"],
  });
  expect((await call(server, "act")).text).toBe("upstream is down");
});

test("lets a Standard Schema check the output and sends what it gives [T13]", async () => {
  const output = z.object({ n: z.number(), unit: z.string().default("m") });
  const server = createServer({
    name: "contract",
    version: "1",
    validator: basic,
    onError: () => {},
    tools: [
      tool({ name: "good", output, call: () => ({ n: 1 }) }),
      tool({ name: "bad", output, call: () => ({ n: "x" }) as never }),
    ],
  });
  expect((await call(server, "good")).result.structuredContent).toEqual({ n: 1, unit: "m" });
  expect((await call(server, "bad")).error.code).toBe(-32603);
});

test("tells in the text no more than the output schema lets through [T13]", async () => {
  const output = z.object({ n: z.number() });
  const row = { n: 1, password: "hunter2" };
  const server = createServer({
    name: "contract",
    version: "1",
    tools: [
      tool({ name: "plain", output, call: () => row }),
      tool({ name: "built", output, call: () => structured(row) }),
      tool({ name: "worded", output, call: () => structured(row, { text: "one row" }) }),
    ],
  });
  for (const [name, expected] of [
    ["plain", '{"n":1}'],
    ["built", '{"n":1}'],
    ["worded", "one row"],
  ] as const) {
    const { result, text: sent } = await call(server, name);
    expect([sent, result.structuredContent]).toEqual([expected, { n: 1 }]);
  }
});

test("allows structured content without an output schema [T13]", async () => {
  expect((await contentOf(() => structured({ any: 1 }))).structuredContent).toEqual({ any: 1 });
});
