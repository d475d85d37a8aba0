import { isDeeperThan, isObject, maxJsonDepth } from "../json/value.ts";
import type { JsonObject, JsonProblem } from "../json/value.ts";
import { toPointer } from "../json/pointer.ts";
import { bounds } from "./bounds.ts";
import { equalsAny, hasDuplicates } from "./equality.ts";
import { assertKeyword, keywordsOf, type Schema } from "./keywords.ts";
import { rules } from "./rules.ts";
import { maxProblems, SchemaError, type Check, type Validator } from "./validator.ts";

/**
 * Enforces the common part of JSON Schema without a dependency: `type`, `const`, `enum`, `required`,
 * `properties`, `additionalProperties`, `items`, `prefixItems`, `uniqueItems`, boolean schemas and the
 * bounds on sizes, lengths (in code points) and numbers. Other keywords are ignored, among them `$ref`,
 * `pattern` and `anyOf`; for those see `jsonSchema()`. `1.0` is an integer. Only own properties count.
 * Throws {@link SchemaError} for a malformed keyword or more than 128 levels.
 */
export const basic: Validator = Object.freeze({
  name: "basic",
  inspect: (schema: JsonObject) => void compile(schema),
  compile,
});

/** What is wrong with a value, with paths from that value; `undefined` when it is valid. */
type Node = (value: unknown) => readonly JsonProblem[] | undefined;

/** Compiles one keyword, or several that belong together; `undefined` when they are absent. */
type Step = (schema: JsonObject, pointer: string) => Node | undefined;

function compile(schema: JsonObject): Check {
  if (isDeeperThan(schema, maxJsonDepth)) {
    throw new SchemaError(`The schema is nested deeper than ${maxJsonDepth} levels`);
  }
  const node = compileNode(schema, "");
  return (value) => {
    try {
      return node(value) ?? none;
    } catch (error) {
      if (error instanceof RangeError) return [problem(rules.tooDeep())];
      throw error;
    }
  };
}

const none: readonly JsonProblem[] = Object.freeze([]);

function compileNode(schema: Schema, pointer: string): Node {
  if (schema === true) return () => undefined;
  if (schema === false) return fails(() => false, rules.forbidden());
  assertKeywords(schema, pointer);
  const nodes: Node[] = [];
  for (const step of steps) {
    const node = step(schema, pointer);
    if (node !== undefined) nodes.push(node);
  }
  const typeOf = compileType(schema);
  if (typeOf === undefined) return (value) => runAll(nodes, value);
  return (value) => typeOf(value) ?? runAll(nodes, value);
}

function assertKeywords(schema: JsonObject, pointer: string): void {
  for (const keyword of enforced) {
    if (!Object.hasOwn(schema, keyword)) continue;
    // Both revisions are enforced alike: an array under `items` is the tuple of draft-07.
    const shape = keywordsOf["draft-07"].get(keyword) ?? "schemas";
    assertKeyword(keyword, schema[keyword], { shape, pointer });
  }
}

function runAll(nodes: readonly Node[], value: unknown): readonly JsonProblem[] | undefined {
  let found: readonly JsonProblem[] | undefined;
  for (const node of nodes) found = join(found, node(value));
  return found;
}

/** Adds problems to those found before; the list is never longer than {@link maxProblems}. */
function join(
  found: readonly JsonProblem[] | undefined,
  more: readonly JsonProblem[] | undefined,
): readonly JsonProblem[] | undefined {
  if (found === undefined || more === undefined) return found ?? more;
  return found.length >= maxProblems ? found : [...found, ...more].slice(0, maxProblems);
}

/** Checks a part of the value and puts its place in front of the paths. */
function within(
  key: string | number,
  node: Node,
  value: unknown,
): readonly JsonProblem[] | undefined {
  const problems = node(value);
  return problems?.map(({ path, rule }) => ({ path: [key, ...path], rule }));
}

function fails(isValid: (value: unknown) => boolean, rule: string): Node {
  const problems: readonly JsonProblem[] = Object.freeze([problem(rule)]);
  return (value) => (isValid(value) ? undefined : problems);
}

function problem(rule: string): JsonProblem {
  return { path: [], rule };
}

const isType: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: Number.isInteger,
  boolean: (value) => typeof value === "boolean",
  object: isObject,
  array: Array.isArray,
  null: (value) => value === null,
};

function compileType(schema: JsonObject): Node | undefined {
  const type = schema["type"];
  if (type === undefined) return undefined;
  const names = (Array.isArray(type) ? type : [type]).map(String);
  const tests = names.map((name) => isType[name] ?? (() => false));
  const [first = () => false] = tests;
  const matches =
    tests.length === 1 ? first : (value: unknown) => tests.some((test) => test(value));
  return (value) => (matches(value) ? undefined : [problem(rules.type(names, value))]);
}

const steps: readonly Step[] = [
  compileConst,
  compileEnum,
  compileRequired,
  compileProperties,
  compileAdditional,
  compileItems,
  ...bounds.map(([keyword, isValid, rule]): Step => (schema) => {
    const limit = schema[keyword];
    if (typeof limit !== "number") return undefined;
    return fails((value) => isValid(value, limit), rule(limit));
  }),
  compileUnique,
];

const enforced: readonly string[] = [
  "type",
  "const",
  "enum",
  "required",
  "properties",
  "additionalProperties",
  "prefixItems",
  "items",
  "uniqueItems",
  ...bounds.map(([keyword]) => keyword),
];

function compileConst(schema: JsonObject): Node | undefined {
  if (!Object.hasOwn(schema, "const")) return undefined;
  return fails(equalsAny([schema["const"]]), rules.const(schema["const"]));
}

function compileEnum(schema: JsonObject): Node | undefined {
  const allowed = schema["enum"];
  return Array.isArray(allowed) ? fails(equalsAny(allowed), rules.enum(allowed)) : undefined;
}

function compileRequired(schema: JsonObject): Node | undefined {
  const required = schema["required"];
  if (!Array.isArray(required)) return undefined;
  const names = required.map(String);
  return (value) => {
    if (!isObject(value) || names.every((name) => has(value, name))) return undefined;
    return [problem(rules.required(names.filter((name) => !has(value, name))))];
  };
}

// A property that is `undefined` would not be written as JSON.
function has(value: { readonly [key: string]: unknown }, name: string): boolean {
  return Object.hasOwn(value, name) && value[name] !== undefined;
}

function compileProperties(schema: JsonObject, pointer: string): Node | undefined {
  const entries = compileMap(schema, "properties", pointer);
  if (entries.length === 0) return undefined;
  return (value) => {
    if (!isObject(value)) return undefined;
    let found: readonly JsonProblem[] | undefined;
    for (const [name, node] of entries) {
      if (has(value, name)) found = join(found, within(name, node, value[name]));
    }
    return found;
  };
}

function compileAdditional(schema: JsonObject, pointer: string): Node | undefined {
  const additional = schema["additionalProperties"];
  // Which properties are additional is unknown without the patterns, so nothing is refused.
  if (!isSchema(additional) || additional === true || has(schema, "patternProperties")) {
    return undefined;
  }
  const properties = schema["properties"];
  const known = new Set(isObject(properties) ? Object.keys(properties) : []);
  const node =
    additional === false
      ? fails(() => false, rules.unknownProperty())
      : compileNode(additional, `${pointer}/additionalProperties`);
  return (value) => {
    if (!isObject(value)) return undefined;
    let found: readonly JsonProblem[] | undefined;
    for (const name of Object.keys(value)) {
      if (!known.has(name) && has(value, name))
        found = join(found, within(name, node, value[name]));
      if (found?.length === maxProblems) break;
    }
    return found;
  };
}

function compileItems(schema: JsonObject, pointer: string): Node | undefined {
  const { items } = schema;
  const tupleKeyword = Array.isArray(items) ? "items" : "prefixItems";
  const prefix = compileMap(schema, tupleKeyword, pointer).map(([, node]) => node);
  const rest = isSchema(items) ? compileRest(items, pointer) : undefined;
  if (prefix.length === 0 && rest === undefined) return undefined;
  return (value) => {
    if (!Array.isArray(value)) return undefined;
    let found: readonly JsonProblem[] | undefined;
    for (let index = 0; index < value.length; index += 1) {
      const node = prefix[index] ?? rest;
      if (node === undefined || found?.length === maxProblems) break;
      found = join(found, within(index, node, value[index]));
    }
    return found;
  };
}

function compileRest(items: Schema, pointer: string): Node {
  if (items === false) return fails(() => false, rules.unexpectedItem());
  return compileNode(items, `${pointer}/items`);
}

function compileMap(schema: JsonObject, keyword: string, pointer: string): readonly Entry[] {
  const map: unknown = schema[keyword];
  if (typeof map !== "object" || map === null) return [];
  return Object.entries(map).flatMap(([key, item]: [string, unknown]): Entry[] =>
    isSchema(item) ? [[key, compileNode(item, pointer + toPointer([keyword, key]))]] : [],
  );
}

type Entry = readonly [key: string, node: Node];

function isSchema(value: unknown): value is Schema {
  return typeof value === "boolean" || isObject(value);
}

function compileUnique(schema: JsonObject): Node | undefined {
  if (schema["uniqueItems"] !== true) return undefined;
  return fails((value) => !Array.isArray(value) || !hasDuplicates(value), rules.uniqueItems());
}
