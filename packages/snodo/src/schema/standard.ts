import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";

import { isObject } from "../json/value.ts";
import type { JsonProblem } from "../json/value.ts";
import { toRule } from "./issue-message.ts";
import { maxProblems, SchemaError } from "./validator.ts";

/** The outcome of a schema library's own check. */
export type Parsed =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problems: readonly JsonProblem[] };

/** A check by a schema library. It may be asynchronous. A throw is a fault of the server. */
export type Parser = (value: unknown) => Parsed | Promise<Parsed>;

/** The side of a schema: what callers give, or what comes out after defaults and transforms. */
export type Side = "input" | "output";

/** A schema of a library that gives JSON Schema too, for example zod 4.2 and arktype 2.2. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": StandardSchemaV1.Props<Input, Output> &
    StandardJSONSchemaV1.Props<Input, Output>;
}

/** True for a Standard Schema of any library, functions included. */
export function isStandardSchema(value: unknown): value is StandardSchemaV1 {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  if (!("~standard" in value) || !isObject(value["~standard"])) return false;
  return typeof value["~standard"]["validate"] === "function";
}

/**
 * A Standard Schema whose JSON Schema you write yourself, for libraries that give none: checked by
 * the library, published as `jsonSchema` on both sides (without `$schema` when it is 2020-12, MCP's
 * default dialect). The types come from the library.
 */
export function withJsonSchema<Input, Output>(
  schema: StandardSchemaV1<Input, Output>,
  jsonSchema: { readonly [keyword: string]: unknown },
): StandardSchema<Input, Output> {
  const standard = schema["~standard"];
  const convert = (): Record<string, unknown> => ({ ...jsonSchema });
  return Object.freeze({
    "~standard": Object.freeze({
      version: standard.version,
      vendor: standard.vendor,
      validate: (value: unknown) => standard.validate(value),
      jsonSchema: { input: convert, output: convert },
    }),
  });
}

/**
 * Throws {@link SchemaError}, saying what to do, for a schema that cannot give JSON Schema. Does not
 * convert it, so that it costs nothing when a module loads.
 */
export function assertConvertible(schema: StandardSchemaV1): asserts schema is StandardSchema {
  const { vendor } = schema["~standard"];
  if ("jsonSchema" in schema["~standard"]) return;
  if (vendor === "zod" && !("_zod" in schema)) {
    throw new SchemaError('is a schema of zod 3; install zod 4.2 or later and import from "zod"');
  }
  const advice = Object.hasOwn(adviceByVendor, vendor) ? adviceByVendor[vendor] : undefined;
  throw new SchemaError(`is a schema of ${vendor} that gives no JSON Schema; ${advice ?? byHand}`);
}

const byHand = "give it with withJsonSchema(schema, { … })";
const adviceByVendor: { readonly [vendor: string]: string } = {
  zod: 'import from "zod" (4.2 or later, not "zod/mini"), or withJsonSchema(schema, z.toJSONSchema(schema, { io: "input" }))',
  valibot: `wrap it with toStandardJsonSchema() of "@valibot/to-json-schema", or ${byHand}`,
};

/**
 * The JSON Schema (2020-12) of one side of a schema, as its library gives it, without `$schema` (it
 * is MCP's default dialect) and without zod's noise. Throws {@link SchemaError} when the library
 * cannot, and when the fields of an object got lost on the way.
 */
export function toJsonSchema(
  schema: StandardSchemaV1,
  side: Side,
): { readonly [key: string]: unknown } {
  assertConvertible(schema);
  const { $schema: dialect, ...converted } = convert(schema, side);
  const fields = countFields(schema);
  if (fields > 0 && !hasProperties(converted)) {
    throw new SchemaError(
      `has ${fields} fields but its JSON Schema has none; make every part with one copy of the library`,
    );
  }
  return dialect === undefined || dialect === dialect2020
    ? converted
    : { $schema: dialect, ...converted };
}

const dialect2020 = "https://json-schema.org/draft/2020-12/schema";

function convert(schema: StandardSchema, side: Side): { readonly [key: string]: unknown } {
  const { vendor, jsonSchema } = schema["~standard"];
  const libraryOptions = vendor === "zod" ? { override: stripZodNoise } : undefined;
  try {
    return jsonSchema[side]({
      target: "draft-2020-12",
      ...(libraryOptions === undefined ? {} : { libraryOptions }),
    });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const error = new SchemaError(
      `cannot be turned into JSON Schema by ${vendor} (${reason}); use types that JSON can carry, ` +
        `make every part with one copy of the library, or ${byHand}`,
    );
    error.cause = cause;
    throw error;
  }
}

/** Formats whose pattern zod adds by itself and that say the same. */
const exactFormats: ReadonlySet<unknown> = new Set([
  "date-time",
  "date",
  "time",
  "duration",
  "uuid",
  "ipv4",
  "ipv6",
]);

function stripZodNoise({ jsonSchema }: { jsonSchema: Record<string, unknown> }): void {
  if (exactFormats.has(jsonSchema["format"])) delete jsonSchema["pattern"];
  if (jsonSchema["type"] !== "integer") return;
  if (jsonSchema["minimum"] === Number.MIN_SAFE_INTEGER) delete jsonSchema["minimum"];
  if (jsonSchema["maximum"] === Number.MAX_SAFE_INTEGER) delete jsonSchema["maximum"];
}

/** How many fields an object schema of zod (`shape`) or valibot (`entries`) has. */
function countFields(schema: object): number {
  const fields = "shape" in schema ? schema.shape : "entries" in schema && schema.entries;
  return isObject(fields) ? Object.keys(fields).length : 0;
}

function hasProperties(schema: { readonly [key: string]: unknown }): boolean {
  const { properties } = schema;
  return (
    schema["type"] !== "object" || (isObject(properties) && Object.keys(properties).length > 0)
  );
}

/** The library's check as a {@link Parser}: at most ten problems, none of which quotes the value. */
export function toParser(schema: StandardSchemaV1): Parser {
  const standard = schema["~standard"];
  return (value) => {
    const result = standard.validate(value);
    if ("then" in result) return result.then((settled) => toParsed(settled, value));
    // The usual case, without another step.
    return result.issues === undefined
      ? { ok: true, value: result.value }
      : toParsed(result, value);
  };
}

function toParsed(result: StandardSchemaV1.Result<unknown>, value: unknown): Parsed {
  if (result.issues === undefined) return { ok: true, value: result.value };
  // arktype's lists are subclasses of Array: copied, so that only plain ones go on.
  const problems = [...result.issues].slice(0, maxProblems).map(({ message, path }) => {
    const keys = [...(path ?? [])].map(toKey);
    return { path: keys, rule: toRule(message, valueAt(value, keys)) };
  });
  return {
    ok: false,
    problems: problems.length > 0 ? problems : [{ path: [], rule: "is not valid" }],
  };
}

function toKey(segment: PropertyKey | StandardSchemaV1.PathSegment): string | number {
  const key = typeof segment === "object" ? segment.key : segment;
  return typeof key === "symbol" ? String(key) : key;
}

function valueAt(root: unknown, path: readonly (string | number)[]): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}
