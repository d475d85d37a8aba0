import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toPointer } from "../json/pointer.ts";
import type { JsonObject } from "../json/value.ts";
import { basic } from "./basic.ts";
import { bounds } from "./bounds.ts";
import { jsonSchema } from "./json-schema.ts";
import { SchemaError } from "./validator.ts";

function lines(schema: JsonObject, value: unknown): readonly string[] {
  return basic
    .compile(schema)(value)
    .map(({ path, rule }) => `${toPointer(path)} ${rule}`.trim());
}

const cases: readonly [schema: JsonObject, value: unknown, problem: string | undefined][] = [
  [{ type: "string" }, 1, "must be string, not integer"],
  [{ type: ["string", "null"] }, 1.5, "must be string or null, not number"],
  [{ type: "integer" }, 1.0, undefined],
  [{ type: "integer" }, 1.5, "must be integer, not number"],
  [{ type: "object" }, [], "must be object, not array"],
  [{ const: { a: 1, b: 2 } }, { b: 2, a: 1 }, undefined],
  [{ const: "metric" }, "kelvin", 'must be "metric"'],
  [{ enum: ["metric", 1, null] }, "kelvin", 'must be one of "metric", 1, null'],
  [{ required: ["a", "b", "c"] }, { b: 1 }, 'must have the properties "a", "c"'],
  [{ required: ["a"] }, { a: null }, undefined],
  [{ properties: { "a/b": { type: "null" } } }, { "a/b": 0 }, "/a~1b must be null, not integer"],
  [{ properties: { a: false } }, { a: 0 }, "/a is not allowed"],
  [{ properties: { a: {} }, additionalProperties: false }, { a: 1 }, undefined],
  [{ additionalProperties: false }, { a: 1 }, "/a is not an allowed property"],
  [{ additionalProperties: { type: "null" } }, { a: 1 }, "/a must be null, not integer"],
  [{ patternProperties: { "^a": true }, additionalProperties: false }, { a: 1 }, undefined],
  [{ items: { type: "null" } }, [null, 1], "/1 must be null, not integer"],
  [{ prefixItems: [true], items: false }, [1, 2], "/1 is not an allowed item"],
  [{ items: [{ type: "null" }] }, [1, 2], "/0 must be null, not integer"],
  [{ minItems: 1 }, [], "must have at least 1 item"],
  [{ maxItems: 2 }, [1, 2, 3], "must have at most 2 items"],
  [{ minProperties: 2 }, { a: 1 }, "must have at least 2 properties"],
  [{ maxProperties: 1 }, { a: 1, b: 1 }, "must have at most 1 property"],
  [{ minLength: 2 }, "😀", "must have at least 2 characters"],
  [{ maxLength: 2 }, "😀😀", undefined],
  [{ minimum: 2 }, 1, "must be at least 2"],
  [{ maximum: 2 }, 3, "must be at most 2"],
  [{ exclusiveMinimum: 2 }, 2, "must be greater than 2"],
  [{ exclusiveMaximum: 2 }, 2, "must be less than 2"],
  [
    { uniqueItems: true },
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    "must not contain duplicates",
  ],
  [{ uniqueItems: true }, [1, "1", true, null, [1], { 0: 1 }], undefined],
  [{ $ref: "#/nowhere", pattern: "^a", anyOf: [false], format: "date", "x-y": 1 }, "b", undefined],
];

describe("basic", () => {
  test.each(cases)("%j on %j says %j [T9]", (schema, value, problem) => {
    expect(lines(schema, value)).toEqual(problem === undefined ? [] : [problem]);
  });

  test("reports every problem of an object, at most ten [T9]", () => {
    const value = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`k${index}`, 0]));
    const schema = { required: ["a"], additionalProperties: { type: "string" } };

    const found = lines(schema, value);

    expect(found).toHaveLength(10);
    expect(found.slice(0, 2)).toEqual([
      'must have the property "a"',
      "/k0 must be string, not integer",
    ]);
  });

  test("sees own properties only, `__proto__` among them [T10]", () => {
    const schema = JSON.parse(
      '{"required":["toString"],"properties":{"__proto__":{"type":"null"}}}',
    );

    expect(lines(schema, JSON.parse('{"__proto__":1}'))).toEqual([
      'must have the property "toString"',
      "/__proto__ must be null, not integer",
    ]);
    expect(lines({ properties: { constructor: false } }, {})).toEqual([]);
  });

  test("cuts what it quotes from the schema", () => {
    const [line = ""] = lines({ enum: Array.from({ length: 500 }, () => "x".repeat(500)) }, 1);

    expect(line.length).toBeLessThan(1_500);
    expect(line).toContain("… (480 more)");
  });

  test.each([
    [
      { properties: { a: { minLength: "3" } } },
      '"minLength" must be a non-negative integer (at /properties/a)',
    ],
    [
      { type: "strng" },
      '"type" must be one of string, number, integer, boolean, object, array, null',
    ],
    [{ items: { required: true } }, '"required" must be an array of strings (at /items)'],
    [{ properties: [] }, '"properties" must be an object of schemas'],
  ])("refuses the malformed schema %j at creation", (schema, message) => {
    expect(() => basic.inspect?.(schema)).toThrow(SchemaError);
    expect(() => basic.compile(schema)).toThrow(message);
  });

  test("refuses a schema that is nested too deeply", () => {
    let schema: JsonObject = {};
    for (let level = 0; level < 20_000; level += 1) schema = { items: schema };

    expect(() => basic.compile(schema)).toThrow("deeper than 128 levels");
  });

  test("compares many items in linear time", () => {
    const check = basic.compile({ uniqueItems: true });
    const items = Array.from({ length: 200_000 }, (_, index) => index);
    const { user: before } = process.cpuUsage();

    expect(check(items)).toEqual([]);
    expect(check([...items, 0])).toHaveLength(1);
    expect(process.cpuUsage().user - before).toBeLessThan(1_000_000);
  });

  test("calls data that is too deep to compare a problem", () => {
    let value: unknown = 1;
    for (let level = 0; level < 100_000; level += 1) value = [value];

    expect(lines({ uniqueItems: true }, [value])).toEqual(["is nested too deeply to be checked"]);
  });
});

const name = fc.constantFrom("a", "b", "c");
const plain = { noNullPrototype: true };
const scalar = fc.oneof(
  fc.constantFrom("", "a", "ab", "😀", "é"),
  fc.constantFrom(-1, 0, 1, 1.5, 2),
  fc.boolean(),
  fc.constant(null),
);
const { value: anyValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    scalar,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(name, tie("value"), plain),
  ),
}));
const typeName = fc.constantFrom(
  "string",
  "number",
  "integer",
  "boolean",
  "object",
  "array",
  "null",
);
interface Arbitraries {
  readonly schema: JsonObject;
  readonly sub: unknown;
}
const { schema: anySchema } = fc.letrec<Arbitraries>((tie) => {
  const sub = tie("sub");
  const keywords: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
    type: fc.oneof(typeName, fc.uniqueArray(typeName, { minLength: 1, maxLength: 3 })),
    const: anyValue,
    enum: fc.array(anyValue, { minLength: 1, maxLength: 3 }),
    required: fc.uniqueArray(name, { maxLength: 2 }),
    properties: fc.dictionary(name, sub, plain),
    additionalProperties: sub,
    items: sub,
    prefixItems: fc.array(sub, { minLength: 1, maxLength: 2 }),
    uniqueItems: fc.boolean(),
    ...Object.fromEntries(bounds.map(([keyword]) => [keyword, fc.nat({ max: 3 })])),
  };
  const schema = fc
    .subarray(Object.keys(keywords), { minLength: 1, maxLength: 4 })
    .chain((names) => fc.record(pick(keywords, names)))
    .map((made) => made as JsonObject);
  return { schema, sub: fc.oneof({ maxDepth: 3 }, fc.boolean(), tie("schema")) };
});

function pick<T>(from: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(from).filter(([key]) => names.includes(key)));
}

describe("the same schemas and values", () => {
  test("get the same verdict from basic, from jsonSchema() and from ajv [T10]", () => {
    const ajv = new Ajv2020({ strict: false, ownProperties: true, validateSchema: false });
    let valid = 0;
    const property = fc.property(
      anySchema,
      fc.array(anyValue, { maxLength: 8 }),
      (schema, values) => {
        const expected = ajv.compile(schema);
        const checks = [basic, jsonSchema(), jsonSchema({ eval: false })].map((validator) =>
          validator.compile(schema),
        );
        for (const value of values) {
          const isValid = expected(value);
          if (isValid) valid += 1;
          for (const check of checks) expect(check(value).length === 0).toBe(isValid);
        }
      },
    );

    fc.assert(property, { numRuns: 400 });

    expect(valid).toBeGreaterThan(100);
  });

  test("get the same paths and words from basic and from jsonSchema() [T9]", () => {
    for (const [schema, value, problem] of cases) {
      if (problem === undefined || Array.isArray(schema["items"])) continue;
      for (const validator of [jsonSchema(), jsonSchema({ trusted: false })]) {
        expect(validator.compile(schema)(value)).toEqual(basic.compile(schema)(value));
      }
    }
  });

  test("never show a value in a problem [T9]", () => {
    const secret = "hunter2";
    const secrets = fc.constantFrom<unknown>(secret, [secret, secret], { a: secret, b: [secret] });

    fc.assert(
      fc.property(anySchema, secrets, (schema, value) => {
        for (const validator of [basic, jsonSchema()]) {
          const problems = validator.compile(schema)(value);
          expect(JSON.stringify(problems)).not.toContain(secret);
        }
      }),
      { numRuns: 200 },
    );
  });
});

test.each(["validator.ts", "basic.ts", "needs-validator.ts"])(
  "%s loads no package, neither directly nor through another file",
  (entry) => {
    expect(packagesOf(entry, new Set())).toEqual([]);
  },
);

function packagesOf(file: string, seen: Set<string>): readonly string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const source = readFileSync(new URL(file, import.meta.url), "utf8");
  const runtime = source.matchAll(/^(?:import|export) (?!type)[^;]*? from "([^"]+)";/gm);
  return [...runtime].flatMap(([, specifier = ""]) => {
    if (!specifier.startsWith(".")) return [specifier];
    return packagesOf(new URL(specifier, new URL(file, import.meta.url)).href, seen);
  });
}
