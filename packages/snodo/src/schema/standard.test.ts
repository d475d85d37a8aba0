import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { expect, test } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import { z as z3 } from "zod3";

import {
  assertConvertible,
  isStandardSchema,
  toJsonSchema,
  toParser,
  withJsonSchema,
} from "./standard.ts";
import { SchemaError } from "./validator.ts";

const secret = "topsecretvalue";

test("recognises schemas by ~standard, functions included, and nothing else", () => {
  const schemas = [z.object({}), v.object({}), type({}), mini.object({}), z3.object({})];
  expect(schemas.map((schema) => isStandardSchema(schema))).toEqual(schemas.map(() => true));
  const others = [{ type: "object" }, null, undefined, "x", { "~standard": {} }, () => 0];
  expect(others.map((other) => isStandardSchema(other))).toEqual(others.map(() => false));
});

test("gives zod's JSON Schema without $schema, integer bounds and patterns beside formats [SC05]", () => {
  const schema = z.object({
    count: z.int(),
    page: z.int().min(1),
    id: z.uuid(),
    day: z.iso.date(),
    code: z.string().regex(/^[A-Z]+$/),
    mail: z.email().regex(/@corp\.com$/),
  });
  const { properties, ...root } = toJsonSchema(schema, "input");
  expect(Object.keys(root)).toEqual(["type", "required"]);
  expect(properties).toMatchObject({
    count: { type: "integer" },
    page: { type: "integer", minimum: 1 },
    id: { type: "string", format: "uuid" },
    day: { type: "string", format: "date" },
    code: { type: "string", pattern: "^[A-Z]+$" },
    mail: { type: "string", allOf: [{}, { pattern: "@corp\\.com$" }] },
  });
  const text = JSON.stringify(properties);
  expect(text).not.toContain("9007199254740991");
  expect(text.match(/"pattern"/g)).toHaveLength(3);
});

test.each([
  ["zod", z.object({ n: z.number().default(3) }), { type: "number", default: 3 }],
  [
    "valibot",
    toStandardJsonSchema(v.object({ n: v.optional(v.number(), 3) })),
    { type: "number", default: 3 },
  ],
  ["arktype", type({ n: "number = 3" }), { type: "number" }],
])("does not require a field with a default on the input side of %s [SC05]", (_, schema, field) => {
  const converted = toJsonSchema(schema, "input");
  expect(converted["required"] ?? []).toEqual([]);
  expect(converted["properties"]).toEqual({ n: field });
});

test("converts the output side for output", () => {
  const schema = z.object({ n: z.number().default(3) });
  expect(toJsonSchema(schema, "output")["required"]).toEqual(["n"]);
});

test("keeps constraints, descriptions and annotations of zod [SC05]", () => {
  const city = z
    .string()
    .min(2)
    .describe("City")
    .meta({ "x-mcp-header": "City", examples: ["Ulm"] });
  expect(toJsonSchema(z.object({ city, unit: z.literal("m").nullable() }), "input")).toEqual({
    type: "object",
    properties: {
      city: {
        type: "string",
        minLength: 2,
        description: "City",
        "x-mcp-header": "City",
        examples: ["Ulm"],
      },
      unit: { anyOf: [{ type: "string", const: "m" }, { type: "null" }] },
    },
    required: ["city", "unit"],
  });
});

test("resolves shared and recursive parts inside the document [SC01]", () => {
  const address = z.object({ city: z.string() }).meta({ id: "Address" });
  const node = z.object({
    get children() {
      return z.array(node);
    },
  });
  const converted = toJsonSchema(z.object({ home: address, work: address, tree: node }), "input");
  const refs = [...JSON.stringify(converted).matchAll(/"\$ref":"#\/\$defs\/(\w+)"/g)];
  expect(refs.length).toBeGreaterThan(2);
  for (const [, name = ""] of refs) expect(converted["$defs"]).toHaveProperty(name);
});

test.each([
  ["zod 3", z3.object({ a: z3.string() }), "install zod 4.2 or later"],
  [
    "zod/mini",
    mini.object({ a: mini.string() }),
    'import from "zod" (4.2 or later, not "zod/mini")',
  ],
  ["plain valibot", v.object({ a: v.string() }), "wrap it with toStandardJsonSchema()"],
  [
    "an unknown library",
    { "~standard": { version: 1 as const, vendor: "constructor", validate: () => ({ value: 1 }) } },
    "a schema of constructor that gives no JSON Schema; give it with withJsonSchema(",
  ],
])("says what to do about %s, before any conversion", (_, schema, advice) => {
  expect(() => assertConvertible(schema)).toThrow(SchemaError);
  expect(() => assertConvertible(schema)).toThrow(advice);
  expect(() => toJsonSchema(schema, "input")).toThrow(advice);
});

test("refuses fields that got lost, as when two copies of a library meet", () => {
  const schema = z.object({ a: z.string() });
  const standard = {
    ...schema["~standard"],
    jsonSchema: { input: () => ({ type: "object" }), output: () => ({ type: "object" }) },
  };
  const broken = { shape: schema.shape, "~standard": standard };
  expect(() => toJsonSchema(broken, "input")).toThrow("has 1 fields but its JSON Schema has none");
  expect(toJsonSchema(z.object({}), "input")).toEqual({ type: "object", properties: {} });
});

test("refuses zod 3 parts inside a zod 4 object and keeps the library's error as cause", () => {
  const mixed = z.object({ part: z3.string() as unknown as z.ZodString });
  expect(() => toJsonSchema(mixed, "input")).toThrow("one copy of the library");
  expect(() => toJsonSchema(z.object({ at: z.date() }), "input")).toThrow(
    expect.objectContaining({
      message: expect.stringContaining("Date cannot be represented"),
      cause: expect.any(Error),
    }),
  );
});

test("publishes the JSON Schema written beside a library's schema", () => {
  const jsonSchema = { type: "object", properties: { a: { type: "string" } }, "x-own": 1 };
  const schema = withJsonSchema(v.object({ a: v.string() }), jsonSchema);
  expect(toJsonSchema(schema, "input")).toEqual(jsonSchema);
  expect(toParser(schema)({ a: 1 })).toMatchObject({ ok: false });
});

test("gives the library's value, defaults and transforms applied", async () => {
  const schema = z.object({
    n: z.number().default(3),
    s: z.string().transform((text) => text.length),
  });
  expect(await toParser(schema)({ s: "four" })).toEqual({ ok: true, value: { n: 3, s: 4 } });
});

test("waits for an asynchronous check", async () => {
  const schema = z.object({ a: z.string().refine(async () => false, "is taken") });
  expect(await toParser(schema)({ a: "x" })).toEqual({
    ok: false,
    problems: [{ path: ["a"], rule: "is taken" }],
  });
});

test.each([
  ["zod", z.object({ list: z.array(z.object({ n: z.number() })) })],
  ["valibot", v.object({ list: v.array(v.object({ n: v.number() })) })],
  ["arktype", type({ list: type({ n: "number" }).array() })],
])("gives the path and the rule of a problem found by %s [T9]", async (_, schema) => {
  const parsed = await toParser(schema)({ list: [{ n: 1 }, { n: secret }] });
  expect(parsed).toMatchObject({ ok: false, problems: [{ path: ["list", 1, "n"] }] });
  expect(JSON.stringify(parsed)).toMatch(/number/);
});

test("reports at most ten problems, and one when the library names none [T9]", async () => {
  const many = await toParser(z.object({ a: z.array(z.number()) }))({ a: Array(50).fill("x") });
  expect(many).toMatchObject({ ok: false, problems: { length: 10 } });
  const silent = { version: 1 as const, vendor: "x", validate: () => ({ issues: [] }) };
  expect(await toParser({ "~standard": silent })(1)).toEqual({
    ok: false,
    problems: [{ path: [], rule: "is not valid" }],
  });
});

const leaky: Record<string, [schema: Parameters<typeof toParser>[0], value: unknown][]> = {
  zod: [
    [z.object({ a: z.number() }), { a: secret }],
    [z.object({ a: z.enum(["x", "y"]) }), { a: secret }],
    [z.object({ a: z.email(), b: z.uuid(), c: z.jwt() }), { a: secret, b: secret, c: secret }],
    [z.object({ a: z.union([z.number(), z.boolean()]) }), { a: secret }],
    [z.object({ a: z.literal("x"), b: z.string().max(3) }), { a: secret, b: secret }],
    [
      z.object({ a: z.string().refine(() => false, { error: (i) => `no ${String(i.input)}` }) }),
      { a: secret },
    ],
    [z.discriminatedUnion("k", [z.object({ k: z.literal("x") })]), { k: secret }],
    [z.number(), secret],
  ],
  "zod 3": [
    [z3.object({ a: z3.enum(["x"]), b: z3.number() }), { a: secret, b: secret }],
    [
      z3.object({ a: z3.discriminatedUnion("k", [z3.object({ k: z3.literal("x") })]) }),
      { a: { k: secret } },
    ],
  ],
  valibot: [
    [v.object({ a: v.number(), b: v.picklist(["x"]) }), { a: secret, b: secret }],
    [v.object({ a: v.pipe(v.string(), v.email()) }), { a: secret }],
    [v.object({ a: v.pipe(v.string(), v.regex(/^x/)) }), { a: secret }],
    [
      v.object({
        a: v.pipe(
          v.string(),
          v.check(() => false),
        ),
      }),
      { a: secret },
    ],
    [v.object({ a: v.variant("k", [v.object({ k: v.literal("x") })]) }), { a: { k: secret } }],
    [v.object({ a: v.union([v.number(), v.boolean()]) }), { a: `${secret}\n${secret}` }],
    [v.number(), secret],
  ],
  arktype: [
    [type({ a: "number", b: "'x'|'y'" }), { a: secret, b: secret }],
    [type({ a: "string.email", b: "string.uuid" }), { a: secret, b: secret }],
    [type({ a: "string>30&/^x/" }), { a: secret }],
    [type({ a: "string.json.parse" }), { a: secret }],
    [type({ a: type({ k: "'x'" }).or({ k: "'y'" }) }), { a: { k: secret } }],
    [
      type({ a: type({ k: "'x'", n: "number" }).or({ q: "'y'" }) }),
      { a: { k: secret, n: secret } },
    ],
    [type("number"), secret],
  ],
};

test.each(Object.entries(leaky))("never tells the value that %s refused [T9]", async (_, cases) => {
  for (const [schema, value] of cases) {
    const parsed = await toParser(schema)(value);
    expect(parsed.ok).toBe(false);
    const rules = parsed.ok ? [] : parsed.problems.map(({ rule }) => rule);
    expect(rules.length).toBeGreaterThan(0);
    for (const rule of rules) {
      expect(rule).not.toMatch(/secret|topsec|\n/);
      expect(rule.length).toBeGreaterThan(5);
    }
  }
});

test.each([" (", "(was ", "(aError", " received ", "a", "\n", ") must be..."])(
  "takes linear time for a message that holds many %j [T9]",
  async (part) => {
    const schema = type({ a: "string<4&/^x/" });
    const start = process.cpuUsage();
    const parsed = await toParser(schema)({ a: part.repeat(200_000) });
    expect(process.cpuUsage(start).user).toBeLessThan(1_000_000);
    expect(parsed).toMatchObject({ ok: false, problems: [{ path: ["a"] }] });
  },
);

test.each([
  [z.object({ a: z.number() }), secret, "Invalid input: expected number, received string"],
  [z.object({ a: z.enum(["mm", "cm"]) }), "m", 'Invalid option: expected one of "mm"|"cm"'],
  [v.object({ a: v.number() }), secret, "Invalid type: Expected number"],
  [v.object({ a: v.pipe(v.string(), v.email()) }), secret, "Invalid email"],
  [type({ a: "number" }), secret, "a must be a number"],
  [type({ a: "number<4" }), 123_456, "a must be less than 4"],
  [type({ a: "string>30&/^x/" }), secret, "a must be: ◦ matched by ^x ◦ at least length 31"],
])("keeps what a caller can act on (%#)", async (schema, a, rule) => {
  expect(await toParser(schema)({ a })).toEqual({ ok: false, problems: [{ path: ["a"], rule }] });
});
