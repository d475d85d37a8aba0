import { expect, test } from "vitest";

import { findHeaderAnnotations } from "./header-annotations.ts";
import { SchemaError } from "./validator.ts";

const token = { type: "string", "x-mcp-header": "Token" };

function find(schema: object): unknown {
  return findHeaderAnnotations({ type: "object", ...schema });
}

function pointerOf(schema: object): string {
  try {
    findHeaderAnnotations({ type: "object", ...schema });
  } catch (error) {
    if (error instanceof SchemaError) return error.pointer;
    throw error;
  }
  return "no problem";
}

test("finds annotations at any depth that properties alone lead to, in document order [T12]", () => {
  const schema = {
    properties: {
      region: { type: "string", "x-mcp-header": "Region" },
      page: { type: "object", properties: { "a/b": { type: "integer", "x-mcp-header": "Page" } } },
      dry: { type: "boolean", "x-mcp-header": "!#$%&'*+-.^_`|~9" },
    },
  };
  expect(find(schema)).toEqual([
    { name: "Region", header: "mcp-param-region", path: ["region"], type: "string" },
    { name: "Page", header: "mcp-param-page", path: ["page", "a/b"], type: "integer" },
    {
      name: "!#$%&'*+-.^_`|~9",
      header: "mcp-param-!#$%&'*+-.^_`|~9",
      path: ["dry"],
      type: "boolean",
    },
  ]);
});

test.each([
  ["a number", 5],
  ["null", null],
  ["an empty string", ""],
  ["a space", "a b"],
  ["a colon", "a:b"],
  ["a line break", "a\r\nX: y"],
  ["a letter outside ASCII", "é"],
  ["a trailing line feed", "a\n"],
])("refuses a header name that is %s [T12]", (_, name) => {
  const schema = { properties: { a: { type: "string", "x-mcp-header": name } } };
  expect(pointerOf(schema)).toBe("/properties/a/x-mcp-header");
});

test.each([
  ["number"],
  ["object"],
  ["array"],
  ["null"],
  [undefined],
  [["string"]],
  [["string", "null"]],
])("refuses an annotation on a property of type %j [T12]", (type) => {
  const schema = { properties: { a: { type, "x-mcp-header": "A" } } };
  expect(pointerOf(schema)).toBe("/properties/a/x-mcp-header");
});

test("refuses two annotations that differ in case only, at the second one [T12]", () => {
  const properties = {
    a: { type: "string", "x-mcp-header": "Region" },
    b: { type: "object", properties: { c: { type: "string", "x-mcp-header": "REGION" } } },
  };
  expect(() => find({ properties })).toThrow('"REGION" is already used by /a');
  expect(pointerOf({ properties })).toBe("/properties/b/properties/c/x-mcp-header");
});

test.each([
  ["the root", { "x-mcp-header": "A" }, "/x-mcp-header"],
  ["items", { properties: { a: { items: token } } }, "/properties/a/items/x-mcp-header"],
  ["prefixItems", { prefixItems: [{}, token] }, "/prefixItems/1/x-mcp-header"],
  ["oneOf", { oneOf: [{ properties: { a: token } }] }, "/oneOf/0/properties/a/x-mcp-header"],
  ["anyOf", { anyOf: [token] }, "/anyOf/0/x-mcp-header"],
  ["allOf", { allOf: [token] }, "/allOf/0/x-mcp-header"],
  ["not", { not: token }, "/not/x-mcp-header"],
  ["if", { if: { properties: { a: token } } }, "/if/properties/a/x-mcp-header"],
  ["then", { then: token }, "/then/x-mcp-header"],
  ["else", { else: token }, "/else/x-mcp-header"],
  ["an unused $defs entry", { $defs: { A: token } }, "/$defs/A/x-mcp-header"],
  ["definitions", { definitions: { A: token } }, "/definitions/A/x-mcp-header"],
  ["additionalProperties", { additionalProperties: token }, "/additionalProperties/x-mcp-header"],
  [
    "patternProperties",
    { patternProperties: { "^a": token } },
    "/patternProperties/^a/x-mcp-header",
  ],
  ["propertyNames", { propertyNames: token }, "/propertyNames/x-mcp-header"],
  ["dependentSchemas", { dependentSchemas: { a: token } }, "/dependentSchemas/a/x-mcp-header"],
  ["dependencies", { dependencies: { a: token } }, "/dependencies/a/x-mcp-header"],
  ["contains", { contains: token }, "/contains/x-mcp-header"],
  [
    "unevaluatedProperties",
    { unevaluatedProperties: token },
    "/unevaluatedProperties/x-mcp-header",
  ],
  ["an unknown keyword", { "x-more": { deep: token } }, "/x-more/deep/x-mcp-header"],
])("refuses an annotation in %s [T12]", (_, schema, pointer) => {
  expect(pointerOf(schema)).toBe(pointer);
});

test.each(["const", "default", "enum", "examples"])(
  "takes the value of %s as data [T12]",
  (keyword) => {
    const properties = { a: { [keyword]: [token, { "x-mcp-header": 5 }] } };
    expect(find({ properties, [keyword]: token })).toEqual([]);
  },
);

test("takes properties named like keywords as ordinary properties [T12]", () => {
  const properties = {
    "x-mcp-header": { type: "number" },
    const: { type: "string", "x-mcp-header": "Const" },
    properties: { type: "object", properties: { "x-mcp-header": { type: "string" } } },
  };
  expect(find({ properties, $defs: { "x-mcp-header": { type: "string" } } })).toEqual([
    { name: "Const", header: "mcp-param-const", path: ["const"], type: "string" },
  ]);
});

test("reads own members only, so that __proto__ is an ordinary property name [NA03]", () => {
  const schema: object = JSON.parse(
    '{"properties":{"__proto__":{"type":"string","x-mcp-header":"Proto"},"constructor":{"type":"string"}}}',
  );
  expect(find(schema)).toMatchObject([{ path: ["__proto__"], header: "mcp-param-proto" }]);
});

test("refuses a schema nested deeper than 128 levels instead of overflowing the stack", () => {
  let schema: object = {};
  for (let depth = 0; depth < 100_000; depth += 1) schema = { not: schema };
  expect(() => findHeaderAnnotations(schema)).toThrow(SchemaError);
  const cyclic: Record<string, unknown> = {};
  cyclic["allOf"] = [cyclic];
  expect(() => findHeaderAnnotations(cyclic)).toThrow("nested too deeply");
});

test("finds nothing in what is not a schema object", () => {
  expect(findHeaderAnnotations(true)).toEqual([]);
  expect(findHeaderAnnotations(undefined)).toEqual([]);
});
