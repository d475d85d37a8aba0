import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { expect, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod3";

import { compileTool, definition, tool } from "./define-tool.ts";
import { DefinitionError } from "./errors.ts";
import type { AnyTool, ObjectSchema } from "./tool.ts";

const call = (): string => "done";

/** Definitions that the compiler refuses too. */
function define(options: object): AnyTool {
  return tool({ name: "t", call, ...options });
}

function byHand(members: object): AnyTool {
  return { name: "t", inputSchema: { type: "object" }, call, ...members };
}

function errorOf(run: () => unknown): DefinitionError {
  try {
    run();
  } catch (error) {
    if (error instanceof DefinitionError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

const everyKeyword = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  "x-order": ["z", "a"],
  properties: {
    z: { type: ["string", "null"], default: null, deprecated: true, "x-unknown": { deep: [1] } },
    a: { oneOf: [{ const: 1 }, { not: { enum: [2] } }], examples: [{ "x-mcp-header": 5 }] },
    tuple: { type: "array", prefixItems: [{ type: "number", multipleOf: 2 }], items: false },
    region: { type: "string", format: "uri", "x-mcp-header": "Region" },
    ref: { $ref: "#/$defs/R" },
  },
  patternProperties: { "^x": true },
  additionalProperties: false,
  dependentRequired: { a: ["z"] },
  if: { required: ["a"] },
  // oxlint-disable-next-line unicorn/no-thenable
  then: { minProperties: 2 },
  else: { maxProperties: 9 },
  unevaluatedProperties: false,
  required: ["z"],
  $defs: { R: { allOf: [{ minimum: 1, exclusiveMaximum: 9 }] } },
} as const;

test("gives a class instance written by hand the same definition, byte for byte [T1]", () => {
  class ByHand {
    readonly call = call;
    get name(): string {
      return "weather";
    }
    get title(): string {
      return "Weather";
    }
    get description(): string {
      return "";
    }
    get icons(): object[] {
      return [{ src: "https://example.com/i.png", sizes: ["48x48"], theme: "dark" }];
    }
    get inputSchema(): ObjectSchema {
      return everyKeyword;
    }
    get outputSchema(): object {
      return { type: "array", items: { type: "string" } };
    }
    get annotations(): object {
      return { readOnlyHint: true };
    }
    get meta(): object {
      return { "com.example/a": 1 };
    }
  }
  const made = tool({
    meta: { "com.example/a": 1 },
    annotations: { readOnlyHint: true },
    output: { type: "array", items: { type: "string" } },
    input: everyKeyword,
    icons: [{ src: "https://example.com/i.png", sizes: ["48x48"], theme: "dark" }],
    description: "",
    title: "Weather",
    name: "weather",
    call: () => ["rain"],
  });
  const instance = new ByHand() as AnyTool;
  expect(JSON.stringify(definition(made))).toBe(JSON.stringify(definition(instance)));
  expect(compileTool(instance).mirrors).toEqual(compileTool(made).mirrors);
});

test("makes a frozen plain value with exactly the public members [T1]", () => {
  const small = tool({ name: "small", call });
  expect(Object.keys(small)).toEqual(["name", "inputSchema", "annotations", "call"]);
  expect(small).toMatchObject({ inputSchema: { type: "object" }, annotations: {}, call });
  expect(Object.getPrototypeOf(small)).toBe(Object.prototype);
  expect(Object.isFrozen(small)).toBe(true);
  const use = [(_ctx: unknown, next: () => unknown) => next()];
  const big = define({ title: "T", description: "D", icons: [], meta: {}, use, output: {} });
  expect(Object.keys(big).toSorted()).toEqual(
    ["annotations", "call", "description", "icons", "inputSchema"].concat([
      "meta",
      "name",
      "outputSchema",
      "title",
      "use",
    ]),
  );
});

test("publishes a raw schema verbatim: keys, order, unknown keywords [T2, SC05]", () => {
  const made = tool({
    name: "t",
    input: everyKeyword,
    output: everyKeyword,
    call: () => ({ z: null }),
  });
  const { inputSchema, outputSchema } = definition(made);
  expect(JSON.stringify(inputSchema)).toBe(JSON.stringify(everyKeyword));
  expect(JSON.stringify(outputSchema)).toBe(JSON.stringify(everyKeyword));
});

test("copies and freezes raw schemas, annotations and meta at every level [T2]", () => {
  const input = { type: "object" as const, properties: { a: { enum: ["x"] } } };
  const annotations = { nested: { list: ["x"] } };
  const made = tool({ name: "t", input, annotations, call });
  input.properties.a.enum.push("y");
  annotations.nested.list.push("y");
  expect(made.inputSchema).toEqual({ type: "object", properties: { a: { enum: ["x"] } } });
  expect(definition(made).annotations).toEqual({ nested: { list: ["x"] } });
  const { properties } = definition(made).inputSchema;
  expect(() => Object.assign((properties as { a: { enum: object } }).a.enum, ["z"])).toThrow(
    TypeError,
  );
  const own = { type: "object" as const, title: "before" };
  const hand = definition(byHand({ inputSchema: own }));
  own.title = "after";
  expect(hand.inputSchema["title"]).toBe("before");
});

test.each<[what: string, member: string, source: unknown, pointer: string]>([
  ["an array schema", "input", { type: "array" }, "/inputSchema/type"],
  ["a list of types", "input", { type: ["object"] }, "/inputSchema/type"],
  ["no type", "input", {}, "/inputSchema/type"],
  [
    "a $ref alone",
    "input",
    { $ref: "#/$defs/A", $defs: { A: { type: "object" } } },
    "/inputSchema/type",
  ],
  ["a boolean schema", "input", true, "/inputSchema"],
  ["an inherited type", "input", Object.create({ type: "object" }), "/inputSchema"],
  ["null", "input", null, "/inputSchema"],
  ["a list", "input", [], "/inputSchema"],
  ["a function inside", "input", { type: "object", a: [{ "b/c": call }] }, "/inputSchema/a/0/b~1c"],
  [
    "a date inside",
    "input",
    { type: "object", default: { at: new Date() } },
    "/inputSchema/default/at",
  ],
  [
    "NaN inside",
    "input",
    { type: "object", minProperties: Number.NaN },
    "/inputSchema/minProperties",
  ],
  ["a boolean schema", "output", false, "/outputSchema"],
  ["null", "output", null, "/outputSchema"],
  ["a bigint inside", "output", { const: 1n }, "/outputSchema/const"],
  [
    "an annotation on a number",
    "input",
    { type: "object", properties: { a: { type: "number", "x-mcp-header": "A" } } },
    "/inputSchema/properties/a/x-mcp-header",
  ],
])("refuses %s as %s, made by tool() or by hand [T11]", (_, member, source, pointer) => {
  const made = errorOf(() => define({ [member]: source }));
  const hand = errorOf(() => definition(byHand({ [`${member}Schema`]: source })));
  expect(made).toMatchObject({ component: 'tool "t"', pointer });
  expect(hand.message).toBe(made.message);
});

test("refuses a schema that contains itself [T11]", () => {
  const schema: Record<string, unknown> = { type: "object" };
  schema["properties"] = { self: schema };
  expect(errorOf(() => define({ input: schema })).rule).toContain("contains itself");
});

test("suggests an object around a root that is none [T11]", () => {
  const union = z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]);
  const error = errorOf(() => definition(tool({ name: "t", input: union, call })));
  expect(error.pointer).toBe("/inputSchema/type");
  expect(error.message).toContain('{ type: "object", properties: { input: … } }');
});

test.each<[members: object, pointer: string]>([
  [{ name: undefined }, "/name"],
  [{ name: "" }, "/name"],
  [{ name: 5 }, "/name"],
  [{ title: 5 }, "/title"],
  [{ description: null }, "/description"],
  [{ annotations: [] }, "/annotations"],
  [{ annotations: null }, "/annotations"],
  [{ annotations: "x" }, "/annotations"],
  [{ annotations: { at: new Date() } }, "/annotations/at"],
  [{ annotations: { big: 1n } }, "/annotations/big"],
  [{ meta: 5 }, "/meta"],
  [{ meta: { f: call } }, "/meta/f"],
  [{ meta: { "1a/x": 1 } }, "/meta"],
  [{ meta: { "a./x": 1 } }, "/meta"],
  [{ meta: { "-x": 1 } }, "/meta"],
  [{ meta: { "a/b/c": 1 } }, "/meta"],
  [{ icons: {} }, "/icons"],
  [{ icons: [{ src: "https://a/b" }, { src: "http://a/b" }] }, "/icons/1/src"],
  [{ icons: [{ src: "javascript:alert(1)" }] }, "/icons/0/src"],
  [{ icons: [{}] }, "/icons/0/src"],
  [{ icons: [{ src: "data:,", sizes: "48x48" }] }, "/icons/0/sizes"],
  [{ icons: [{ src: "data:,", theme: "blue" }] }, "/icons/0/theme"],
  [{ use: call }, "/use"],
  [{ use: [5] }, "/use"],
  [{ call: "x" }, "/call"],
])("refuses %o, made by tool() or by hand [T11]", (members, pointer) => {
  expect(errorOf(() => define(members)).pointer).toBe(pointer);
  expect(errorOf(() => definition(byHand(members))).pointer).toBe(pointer);
});

test.each<[options: object, pointer: string]>([
  [{ inputSchema: { type: "object" } }, "/inputSchema"],
  [{ text: "x" }, "/text"],
  [{ timeoutMs: 0 }, "/timeoutMs"],
  [{ timeoutMs: Number.POSITIVE_INFINITY }, "/timeoutMs"],
  [{ timeoutMs: "5" }, "/timeoutMs"],
])("refuses the option %o", (options, pointer) => {
  expect(errorOf(() => define(options)).pointer).toBe(pointer);
});

test("refuses what is not an object before it reads anything [T15]", () => {
  expect(() => definition(undefined as never)).toThrow(
    "tool: must be an object with name, inputSchema",
  );
});

test("leaves out what is absent and keeps an empty description [T15]", () => {
  expect(definition(byHand({ description: "", meta: { "": 1, "a.b-c/x_y": 2 } }))).toEqual({
    name: "t",
    description: "",
    inputSchema: { type: "object" },
    annotations: {},
    meta: { "": 1, "a.b-c/x_y": 2 },
  });
  expect(
    definition(byHand({ inputSchema: { type: "object", title: undefined } })).inputSchema,
  ).toEqual({
    type: "object",
  });
});

test.each(["then", "toJSON", "constructor", "__proto__"])(
  "defines a tool named %s [NA03]",
  async (name) => {
    const made = define({ name });
    expect(await Promise.resolve(made)).toBe(made);
    expect(JSON.parse(JSON.stringify(definition(made)))).toMatchObject({ name });
  },
);

test("takes arguments named __proto__, then and length [NA03]", () => {
  const text =
    '{"type":"object","properties":{"__proto__":{"type":"string","x-mcp-header":"P"},"then":{},"length":{}},"required":["__proto__"]}';
  const compiled = compileTool(define({ input: JSON.parse(text) }));
  expect(JSON.stringify(compiled.definition.inputSchema)).toBe(text);
  expect(compiled).toMatchObject({ required: ["__proto__"], mirrors: [{ path: ["__proto__"] }] });
});

test("gives tools without arguments an object schema [SC07]", () => {
  expect(definition(tool({ name: "t", call })).inputSchema).toEqual({ type: "object" });
  const empty = tool({ name: "t", input: z.object({}), call });
  expect(definition(empty).inputSchema).toEqual({ type: "object", properties: {} });
});

test.each([
  ["zod", z.object({ a: z.string(), b: z.number().default(1) })],
  ["valibot", toStandardJsonSchema(v.object({ a: v.string(), b: v.optional(v.number(), 1) }))],
  ["arktype", type({ a: "string", b: "number = 1" })],
])("compiles a tool with %s on both sides", async (_, schema) => {
  const compiled = compileTool(
    tool({ name: "t", input: schema, output: schema, call: () => ({ a: "x" }) }),
  );
  expect(compiled.definition.inputSchema).toMatchObject({ type: "object", required: ["a"] });
  expect(compiled.definition.inputSchema).not.toHaveProperty("$schema");
  expect(compiled.required).toEqual(["a"]);
  expect(await compiled.parseInput?.({ a: "x" })).toEqual({ ok: true, value: { a: "x", b: 1 } });
  expect(await compiled.parseOutput?.({ a: 5 })).toMatchObject({ ok: false });
});

test("converts a library's schema once, when it is first read", () => {
  let conversions = 0;
  const schema = z.object({ a: z.string() });
  type Convert = (typeof schema)["~standard"]["jsonSchema"]["input"];
  const counted = {
    "~standard": {
      ...schema["~standard"],
      jsonSchema: {
        ...schema["~standard"].jsonSchema,
        input: (options: Parameters<Convert>[0]) => {
          conversions += 1;
          return schema["~standard"].jsonSchema.input(options);
        },
      },
    },
  };
  const made = tool({ name: "t", input: counted, call });
  expect(conversions).toBe(0);
  expect(made.inputSchema).toMatchObject({ properties: { a: { type: "string" } } });
  expect(definition(made).inputSchema).toBe(made.inputSchema);
  expect(conversions).toBe(1);
});

test("refuses schemas of zod 3 and plain valibot when the tool is defined", () => {
  const old = errorOf(() => define({ input: z3.object({ a: z3.string() }) }));
  expect(old.message).toMatch(/^tool "t" at \/inputSchema: is a schema of zod 3; install zod 4/);
  const plain = errorOf(() => define({ output: v.object({ a: v.string() }) }));
  expect(plain.message).toContain("toStandardJsonSchema()");
});

test("names tool and place when a library cannot convert, and keeps its error as cause", () => {
  const made = tool({ name: "when", input: z.object({ at: z.date() }), call });
  const error = errorOf(() => definition(made));
  expect(error).toMatchObject({ component: 'tool "when"', pointer: "/inputSchema" });
  expect(error.cause).toBeInstanceOf(Error);
});

test("keeps checks, text and time limit in a copy, unless it has another schema", async () => {
  const made = tool({
    name: "made",
    input: z.object({ a: z.string() }),
    text: (data) => `got ${String(data)}`,
    timeoutMs: 5000,
    call,
  });
  const renamed = compileTool({ ...made, name: "renamed" });
  expect(await renamed.parseInput?.({ a: 5 })).toMatchObject({ ok: false });
  expect(renamed).toMatchObject({ timeoutMs: 5000, definition: { name: "renamed" } });
  expect(renamed.renderText?.(1)).toBe("got 1");
  const other = compileTool({ ...made, inputSchema: { type: "object" } });
  expect(other.parseInput).toBeUndefined();
});

test("compiles a raw tool with its required names and mirrors and no parser", () => {
  const made = tool({
    name: "t",
    input: {
      type: "object",
      properties: { a: { type: "string", "x-mcp-header": "A" } },
      required: ["b", "a"],
    },
    call,
  });
  expect(compileTool(made)).toMatchObject({
    tool: made,
    required: ["b", "a"],
    mirrors: [{ name: "A", header: "mcp-param-a", path: ["a"], type: "string" }],
    parseInput: undefined,
    parseOutput: undefined,
    renderText: undefined,
    timeoutMs: undefined,
  });
});
