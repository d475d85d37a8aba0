import { describe, expect, test } from "vitest";
import type { JsonObject } from "../json/value.ts";
import { jsonSchema } from "./json-schema.ts";
import { SchemaError } from "./validator.ts";

function nested(levels: number): JsonObject {
  let schema: JsonObject = { type: "string" };
  for (let level = 0; level < levels; level += 1) schema = { properties: { a: schema } };
  return schema;
}

/** Each definition names the next one twice. */
function doubling(levels: number, wrap: (pair: JsonObject) => JsonObject): JsonObject {
  const $defs: Record<string, JsonObject> = { [`d${levels}`]: { type: "null" } };
  for (let level = 0; level < levels; level += 1) {
    const next = { $ref: `#/$defs/d${level + 1}` };
    $defs[`d${level}`] = wrap({ anyOf: [next, next] });
  }
  return { $ref: "#/$defs/d0", $defs };
}

const circle: JsonObject = {
  $ref: "#/$defs/A",
  $defs: { A: { allOf: [{ $ref: "#/$defs/B" }] }, B: { allOf: [{ $ref: "#/$defs/A" }] } },
};
const branches = Array.from({ length: 20_000 }, (_, index) => ({ const: index }));
const manyBranches: JsonObject = { anyOf: branches };

test.each([
  "http://json-schema.org/draft-04/schema#",
  "http://json-schema.org/draft-06/schema",
  "https://json-schema.org/draft/2019-09/schema",
  "https://example.com/none",
])("names the dialect %s that it does not support [SC04]", (uri) => {
  expect(() => jsonSchema().inspect?.({ $schema: uri, type: "object" })).toThrow(
    `The schema dialect "${uri}" is not supported`,
  );
});

test.each([
  "http://json-schema.org/draft-07/schema",
  "https://json-schema.org/draft-07/schema#",
  "https://json-schema.org/draft/2020-12/schema",
  "http://json-schema.org/draft/2020-12/schema#",
])("supports the dialect under the name %s [SC04]", (uri) => {
  const check = jsonSchema().compile({ $schema: uri, type: "object" });

  expect(check([])).toHaveLength(1);
});

test.each<[string, JsonObject]>([
  [
    'The reference "https://example.com/x" does not lead to a schema here; other',
    { $ref: "https://example.com/x" },
  ],
  ['The reference "#/$defs/b" does not lead', { $ref: "#/$defs/b" }],
  ['The reference "#/default" does not lead', { $ref: "#/default", default: {} }],
  ["refers to itself without going into the value (at /$defs/A)", circle],
  ["nested deeper than 128 levels", nested(2_000)],
  ["more than 5000 subschemas", manyBranches],
  ["more than 20000 schemas apply to one value", doubling(22, (pair) => pair)],
  ["More than 128 schemas in a chain", chain(200)],
  ["larger than 1048576", { enum: ["x".repeat(1_100_000)] }],
  ["A pattern is longer than 1024 characters", { pattern: "a".repeat(1_025) }],
  ['A pattern is not valid with the flag "u"', { properties: { a: { pattern: "(" } } }],
  [
    "A schema cannot mix dialects (at /items)",
    { items: { $schema: "http://json-schema.org/draft-07/schema" } },
  ],
  ['"anyOf" must be a non-empty array of schemas (at /$defs/a)', { $defs: { a: { anyOf: {} } } }],
])("refuses with a pointer: %s", (message, schema) => {
  for (const validator of [jsonSchema(), jsonSchema({ trusted: false })]) {
    expect(() => validator.inspect?.(schema)).toThrow(SchemaError);
    expect(() => validator.compile(schema)).toThrow(message);
  }
});

function chain(length: number): JsonObject {
  const links = Array.from({ length }, (_, index) => [
    `d${index}`,
    index === 0 ? {} : { $ref: `#/$defs/d${index - 1}` },
  ]);
  return { $defs: Object.fromEntries(links) };
}

describe("a schema that is not trusted", () => {
  test.each([
    { pattern: "^(?=(a+))\\1b" },
    { pattern: "(?<=x)a" },
    { patternProperties: { "^(a+)+$": {} } },
    { patternProperties: { "[a-z]+$": {} } },
  ])("may not hold a pattern that could backtrack: %j", (schema) => {
    expect(() => jsonSchema({ trusted: false }).compile(schema)).toThrow("could backtrack");
    expect(() => jsonSchema().compile(schema)).not.toThrow();
  });

  test.each<[string, JsonObject, unknown]>([
    ["a circle", circle, 1],
    ["2,000 levels", nested(2_000), {}],
    ["20,000 alternatives", manyBranches, -1],
    ["4,900 alternatives", { anyOf: branches.slice(0, 4_900) }, -1],
    ["a pattern that backtracks elsewhere", { pattern: "^(a+)+$" }, `${"a".repeat(40)}!`],
    ["doubling references", doubling(22, (pair) => pair), 1],
  ])("costs less than 250 ms with %s [SC08]", (_name, schema, value) => {
    jsonSchema({ trusted: false }).compile({})(1);
    const { user: before } = process.cpuUsage();

    const outcome = outcomeOf(schema, value);

    expect(process.cpuUsage().user - before).toBeLessThan(250_000);
    expect(outcome).toMatch(/^SchemaError|^must|^takes/);
  });

  test("is stopped when its references double with each level of the value", () => {
    const schema = doubling(22, (pair) => ({ items: pair }));

    expect(outcomeOf(schema, arrays(22))).toBe("takes too many steps to be checked");
  });
});

function outcomeOf(schema: JsonObject, value: unknown): string {
  try {
    return String(jsonSchema({ trusted: false }).compile(schema)(value)[0]?.rule);
  } catch (error) {
    return String(error);
  }
}

function arrays(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}
