/** Any value that JSON can carry. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object: string keys, JSON values. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** A place inside a JSON value and what is wrong there. */
export interface JsonProblem {
  /** Property names and array indexes from the root. */
  readonly path: readonly (string | number)[];
  /** What was expected, without the value itself. */
  readonly rule: string;
}

/** True for an object that is neither `null` nor an array. */
export function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** {@link isObject} for a value that is known to have come out of JSON. */
export const isJsonObject = isObject as (value: unknown) => value is JsonObject;

/** Deepest nesting that is accepted where no other limit is given. */
export const maxJsonDepth = 128;

/**
 * Finds the first part of `value` that JSON cannot carry: a bigint, a function, a symbol, NaN or an
 * infinity, `undefined` in an array, an object that is not plain (Date, Map, class instance), a cycle
 * or nesting deeper than `maxDepth`. A property that is `undefined` counts as absent.
 */
export function findNonJson(
  value: unknown,
  maxDepth: number = maxJsonDepth,
): JsonProblem | undefined {
  switch (typeof value) {
    case "string":
    case "boolean":
      return undefined;
    case "number":
      return Number.isFinite(value) ? undefined : problem("must be a finite number");
    case "object":
      return value === null ? undefined : findInContainer(value, maxDepth);
    default:
      return problem(`must be a JSON value, not ${typeof value}`);
  }
}

function findInContainer(value: object, depthLeft: number): JsonProblem | undefined {
  if (depthLeft === 0) return problem("is nested too deeply or contains itself");
  if (Array.isArray(value)) return findInArray(value, depthLeft);
  const prototype: unknown = Object.getPrototypeOf(value);
  // Objects of another realm have a prototype of the same kind, which has none itself.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    return problem("must be a plain object, not a class instance");
  }
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    const found = findNonJson(item, depthLeft - 1);
    if (found !== undefined) return { path: [key, ...found.path], rule: found.rule };
  }
  return undefined;
}

function findInArray(items: readonly unknown[], depthLeft: number): JsonProblem | undefined {
  for (let index = 0; index < items.length; index += 1) {
    const found = findNonJson(items[index], depthLeft - 1);
    if (found !== undefined) return { path: [index, ...found.path], rule: found.rule };
  }
  return undefined;
}

function problem(rule: string): JsonProblem {
  return { path: [], rule };
}

/** True when every part of `value` can be carried by JSON; see {@link findNonJson}. */
export function isJson(value: unknown): value is JsonValue {
  return findNonJson(value) === undefined;
}

/** True when `value` (as JSON.parse gave it) is nested deeper than `depth` containers. */
export function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth === 0) return true;
  // Loops rather than `some`: this runs over every message.
  for (const key in value) {
    if (isDeeperThan(value[key as keyof typeof value], depth - 1)) return true;
  }
  return false;
}

/**
 * A copy of a JSON value that shares nothing with the original; properties that are `undefined` are
 * left out, key order is kept. Call {@link findNonJson} first where the value is not known to be JSON.
 */
export function copyJson<T>(value: T): T {
  return transform(value, false) as T;
}

/** Like {@link copyJson}, and the copy is frozen at every level. */
export function freezeJson<T>(value: T): T {
  return transform(value, true) as T;
}

function transform(value: unknown, freeze: boolean): unknown {
  if (typeof value !== "object" || value === null) return value;
  const copy: unknown = Array.isArray(value)
    ? value.map((item) => transform(item, freeze))
    : copyObject(value, freeze);
  return freeze ? Object.freeze(copy) : copy;
}

function copyObject(value: object, freeze: boolean): object {
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const item: unknown = value[key as keyof typeof value];
    if (item === undefined) continue;
    if (key === "__proto__") defineProto(copy, transform(item, freeze));
    else copy[key] = transform(item, freeze);
  }
  return copy;
}

// Assignment to `__proto__` would set the prototype instead of making a property.
function defineProto(target: object, value: unknown): void {
  Object.defineProperty(target, "__proto__", {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}
