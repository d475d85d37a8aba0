import { isObject, type JsonObject } from "../json/value.ts";
import { SchemaError } from "./validator.ts";

/** The revisions of JSON Schema that are understood. */
export type SchemaDialect = "2020-12" | "draft-07";

/** What the value of a keyword must look like. */
export type KeywordShape =
  | "schema"
  | "schemas"
  | "schemaMap"
  | "schemaOrSchemas"
  | "schemaOrStringsMap"
  | "typeNames"
  | "array"
  | "strings"
  | "stringsMap"
  | "string"
  | "boolean"
  | "count"
  | "number"
  | "positive"
  | "any";

/** A JSON Schema: an object of keywords, `true` (everything) or `false` (nothing). */
export type Schema = JsonObject | boolean;

type Rows = readonly (readonly [shape: KeywordShape, keywords: string])[];

const shared: Rows = [
  ["string", "$schema $id $ref pattern format"],
  ["schemaMap", "$defs definitions properties patternProperties"],
  ["schema", "contains additionalProperties propertyNames if then else not"],
  ["schemas", "allOf anyOf oneOf"],
  ["schemaOrStringsMap", "dependencies"],
  ["typeNames", "type"],
  ["array", "enum"],
  ["any", "const"],
  ["strings", "required"],
  ["boolean", "uniqueItems"],
  ["positive", "multipleOf"],
  ["number", "maximum exclusiveMaximum minimum exclusiveMinimum"],
  ["count", "maxLength minLength maxItems minItems maxProperties minProperties"],
];

const draft202012: Rows = [
  ...shared,
  ["string", "$anchor $dynamicAnchor $dynamicRef"],
  ["schema", "items unevaluatedItems unevaluatedProperties"],
  ["schemas", "prefixItems"],
  ["schemaMap", "dependentSchemas"],
  ["stringsMap", "dependentRequired"],
  ["count", "minContains maxContains"],
];

const draft07: Rows = [...shared, ["schemaOrSchemas", "items"], ["schema", "additionalItems"]];

/**
 * The keywords that a dialect gives a meaning to beyond annotation. `definitions` and `dependencies`
 * stay in 2020-12 and `$defs` in draft-07, because published schemas mix them.
 */
export const keywordsOf: Readonly<Record<SchemaDialect, ReadonlyMap<string, KeywordShape>>> = {
  "2020-12": toMap(draft202012),
  "draft-07": toMap(draft07),
};

function toMap(rows: Rows): ReadonlyMap<string, KeywordShape> {
  return new Map(
    rows.flatMap(([shape, keywords]) => keywords.split(" ").map((keyword) => [keyword, shape])),
  );
}

/** The names that `type` may hold. */
export const typeNames: readonly string[] = [
  "string",
  "number",
  "integer",
  "boolean",
  "object",
  "array",
  "null",
];

const isSchema = (value: unknown): boolean => isObject(value) || typeof value === "boolean";
const isStrings = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === "string");
const isSchemas = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(isSchema);
const isTypeName = (value: unknown): boolean =>
  typeof value === "string" && typeNames.includes(value);
const isMapOf = (value: unknown, test: (item: unknown) => boolean): boolean =>
  isObject(value) && Object.values(value).every(test);

type ShapeRule = readonly [test: (value: unknown) => boolean, expected: string];

const shapeRules: Readonly<Record<KeywordShape, ShapeRule>> = {
  schema: [isSchema, "a schema (an object or a boolean)"],
  schemas: [isSchemas, "a non-empty array of schemas"],
  schemaMap: [(value) => isMapOf(value, isSchema), "an object of schemas"],
  schemaOrSchemas: [(value) => isSchema(value) || isSchemas(value), "a schema or an array of them"],
  schemaOrStringsMap: [
    (value) => isMapOf(value, (item) => isSchema(item) || isStrings(item)),
    "an object of schemas or string arrays",
  ],
  typeNames: [
    (value) => isTypeName(value) || (Array.isArray(value) && value.every(isTypeName)),
    `one of ${typeNames.join(", ")}, or an array of these`,
  ],
  array: [Array.isArray, "an array"],
  strings: [isStrings, "an array of strings"],
  stringsMap: [(value) => isMapOf(value, isStrings), "an object of string arrays"],
  string: [(value) => typeof value === "string", "a string"],
  boolean: [(value) => typeof value === "boolean", "a boolean"],
  count: [(value) => Number.isInteger(value) && Number(value) >= 0, "a non-negative integer"],
  number: [Number.isFinite, "a number"],
  positive: [(value) => Number.isFinite(value) && Number(value) > 0, "a number above 0"],
  any: [() => true, "any value"],
};

/** Throws {@link SchemaError} when the value of a keyword has not the shape that the dialect gives it. */
export function assertKeyword(keyword: string, value: unknown, at: KeywordPlace): void {
  const [test, expected] = shapeRules[at.shape];
  if (test(value)) return;
  const hint = keyword === "items" && Array.isArray(value) ? " (for tuples: prefixItems)" : "";
  throw new SchemaError(`"${keyword}" must be ${expected}${hint}`, at.pointer);
}

/** Where a keyword stands and which shape it must have. */
export interface KeywordPlace {
  readonly shape: KeywordShape;
  /** JSON Pointer of the schema that holds the keyword. */
  readonly pointer: string;
}
