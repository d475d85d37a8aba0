import { Settings } from "typebox/system";
import { describe, expect, test } from "vitest";
import { toPointer } from "../json/pointer.ts";
import type { JsonObject } from "../json/value.ts";
import { jsonSchema, type JsonSchemaOptions } from "./json-schema.ts";
import { SchemaError } from "./validator.ts";

function lines(schema: JsonObject, value: unknown, options?: JsonSchemaOptions): readonly string[] {
  const problems = jsonSchema(options).compile(schema)(value);
  return problems.map(({ path, rule }) => `${toPointer(path)} ${rule}`.trim());
}

const modes: readonly JsonSchemaOptions[] = [{}, { eval: false }, { trusted: false }];

const conditional: JsonObject = JSON.parse('{"if":{"type":"integer"},"then":{"minimum":2}}');
const kinds: JsonObject = {
  oneOf: [
    { properties: { kind: { const: "a" } }, required: ["kind"] },
    { properties: { kind: { const: "b" } }, required: ["kind"] },
  ],
};

describe.each(modes)("jsonSchema(%j)", (options) => {
  const cases: readonly [schema: JsonObject, value: unknown, problems: readonly string[]][] = [
    [{ pattern: "^a" }, "b", ["must match the pattern ^a"]],
    [{ multipleOf: 3 }, 4, ["must be a multiple of 3"]],
    [{ not: { type: "string" } }, "b", ['must not match the schema under "not"']],
    [{ contains: { const: 1 } }, [2], ["must contain at least 1 matching item"]],
    [{ dependentRequired: { a: ["b"] } }, { a: 1 }, ['must have "b" when "a" is present']],
    [
      { propertyNames: { maxLength: 2 } },
      { abc: 1 },
      ["/abc has a name that must have at most 2 characters"],
    ],
    [{ unevaluatedProperties: false }, { "a/b": 1 }, ["/a~1b is not an allowed property"]],
    [{ unevaluatedItems: false, prefixItems: [true] }, [1, 2], ["/1 is not an allowed item"]],
    [{ if: { type: "string" }, else: { minimum: 2 } }, 1, ["must be at least 2"]],
    [conditional, 1, ['must match the schema under "then"']],
    [{ anyOf: [{ type: "string" }, { type: "null" }] }, 1, ["must be string or null, not integer"]],
    [
      { anyOf: [{ type: "null" }, { type: ["null", "array"] }] },
      {},
      ["must be null or array, not object"],
    ],
    [
      { items: kinds },
      [{ kind: "a" }, { kind: "c" }, {}],
      [
        '/1 must match an alternative: /kind must be "a"; or /kind must be "b"',
        '/2 must match an alternative: must have the property "kind"; or must have the property "kind"',
      ],
    ],
    [{ oneOf: [true, true] }, 1, ["must match exactly one alternative, not 2"]],
    [{ allOf: [{ minimum: 2 }, { maximum: 0 }] }, 1, ["must be at least 2", "must be at most 0"]],
  ];

  test.each(cases)("says in words what is wrong: %j on %j [T9]", (schema, value, problems) => {
    expect(lines(schema, value, options)).toEqual(problems);
  });

  test("gives array indexes as numbers and names as strings", () => {
    const schema = { additionalProperties: { items: { type: "null" } } };

    const [problem] = jsonSchema(options).compile(schema)({ 0: [1] });

    expect(problem?.path).toEqual(["0", 0]);
  });

  test("summarises hundreds of alternatives in one line", () => {
    const anyOf = Array.from({ length: 900 }, (_, index) => ({ const: index }));

    expect(lines({ anyOf }, -1, options)).toEqual([
      "must match an alternative: must be 0; or must be 1; or must be 2; or must be 3; or must be 4; or 895 more",
    ]);
  });

  test("reports at most ten problems [T9]", () => {
    const schema = { items: { type: "null" } };

    expect(
      lines(
        schema,
        Array.from({ length: 100 }, () => 1),
        options,
      ),
    ).toHaveLength(10);
  });

  test("keeps nothing from one call to the next", () => {
    const schema = { properties: { a: {} }, unevaluatedProperties: { minLength: 3 } };
    const check = jsonSchema(options).compile(schema);

    expect(check({ foo: "long enough" })).toEqual([]);
    expect(check({ foo: "x" })).toHaveLength(1);
  });

  test("checks shared and recursive parts [SC01]", () => {
    const node = {
      type: "object",
      properties: { next: { $ref: "#/$defs/node" } },
      required: ["v"],
    };
    const address = { $id: "address", type: "object", required: ["street"] };
    const schema = {
      type: "object",
      properties: {
        home: { $ref: "address" },
        work: { $ref: "#/$defs/a" },
        list: { $ref: "#/$defs/node" },
      },
      $defs: { a: address, node },
    };

    expect(lines(schema, { home: "x", work: {}, list: { v: 1, next: {} } }, options)).toEqual([
      "/home must be object, not string",
      '/work must have the property "street"',
      '/list/next must have the property "v"',
    ]);
  });

  test("reads each dialect by its own rules", () => {
    const draft07 = { $schema: "http://json-schema.org/draft-07/schema#" };

    expect(lines({ items: [{ type: "null" }], ...draft07 }, [1], options)).toHaveLength(1);
    expect(lines({ prefixItems: [false], ...draft07 }, [1], options)).toEqual([]);
    expect(
      lines({ prefixItems: [false], $recursiveRef: "#", additionalItems: false }, [], options),
    ).toEqual([]);
    expect(() => lines({ items: [true] }, [], options)).toThrow("(for tuples: prefixItems)");
  });

  test("takes `format` for an annotation unless told otherwise", () => {
    expect(lines({ format: "date" }, "x", options)).toEqual([]);
    expect(lines({ format: "date" }, "x", { ...options, formats: "assert" })).toEqual([
      "must be a valid date",
    ]);
  });

  test("follows references to registered documents and meta-schemas only", () => {
    const schemas = { "https://example.com/name": { type: "string" } };

    expect(lines({ $ref: "https://example.com/name" }, 1, { ...options, schemas })).toHaveLength(1);
    expect(
      lines({ $ref: "https://json-schema.org/draft/2020-12/schema" }, { minLength: -1 }, options),
    ).toEqual(["/minLength must be at least 0"]);
    expect(() => lines({ $ref: "https://example.com/name" }, 1, options)).toThrow(
      'The reference "https://example.com/name" does not lead to a schema here',
    );
  });

  test("ignores what only its engine knows", () => {
    expect(lines({ "~refine": [{}], "~kind": "x" }, 1, options)).toEqual([]);
    expect(() => lines({ type: "bigint" }, 1, options)).toThrow(SchemaError);
  });

  test("sees own properties only, whatever they are called", () => {
    const proto = JSON.parse('{"properties":{"__proto__":{"type":"null"}}}');
    const closed = { properties: { toString: { type: "string" } }, additionalProperties: false };

    expect(lines(proto, JSON.parse('{"__proto__":1}'), options)).toEqual([
      "/__proto__ must be null, not integer",
    ]);
    expect(lines({ required: ["toString"] }, {}, options)).toEqual([
      'must have the property "toString"',
    ]);
    expect(lines(closed, {}, options)).toEqual([]);
    expect(lines(closed, { toString: "x" }, options)).toEqual([]);
    expect(lines(closed, { toString: 1, valueOf: 1 }, options)).toHaveLength(2);
    expect(() => lines({ $ref: "toString" }, 1, options)).toThrow(SchemaError);
  });

  test("calls data that is too deep for a recursive schema a problem", () => {
    let value: unknown = {};
    for (let level = 0; level < 50_000; level += 1) value = { next: value };

    expect(lines({ properties: { next: { $ref: "#" } } }, value, options)).toEqual([
      "is nested too deeply to be checked",
    ]);
  });
});

test("keeps nothing between calls where the runtime forbids generated code", () => {
  const schema = { properties: { a: {} }, unevaluatedProperties: { minLength: 3 } };
  Settings.Set({ useAcceleration: false });
  try {
    const check = jsonSchema().compile(schema);

    expect(check({ foo: "long enough" })).toEqual([]);
    expect(check({ foo: "x" })).toHaveLength(1);
  } finally {
    Settings.Set({ useAcceleration: true });
  }
});

test("falls back when generated code would overflow the host", () => {
  let schema: JsonObject = { type: "string" };
  for (let level = 0; level < 60; level += 1) schema = { properties: { a: schema }, allOf: [{}] };

  expect(lines(schema, { a: { a: {} } })).toEqual([]);
});

test("stops a check that takes too many steps", () => {
  const branch = { properties: { n: { $ref: "#" } } };
  let value: JsonObject = {};
  for (let level = 0; level < 40; level += 1) value = { n: value };

  expect(lines({ anyOf: [branch, branch] }, value, { trusted: false })).toEqual([
    "takes too many steps to be checked",
  ]);
  expect(lines({ items: { type: "null" } }, [null], { eval: false, maxSteps: 1 })).toHaveLength(1);
});

test("gives up the details, not the verdict, when they take too many steps", () => {
  const value = [...Array.from({ length: 100 }, () => null), 1];

  expect(lines({ items: { type: "null" } }, value, { maxSteps: 50 })).toEqual([
    "must match the schema",
  ]);
});
