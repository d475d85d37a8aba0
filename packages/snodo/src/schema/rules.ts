const maxQuoted = 60;
const maxListed = 20;
const maxBranches = 5;

/** The JSON Schema type name of a value, for messages. */
export function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value !== "number") return typeof value;
  return Number.isInteger(value) ? "integer" : "number";
}

/**
 * The sentence for each keyword that can fail. Everything quoted comes from the schema and is cut at a
 * sane length; of the value only the type is named.
 */
export const rules = {
  type: (expected: readonly string[], value: unknown): string =>
    `must be ${expected.join(" or ")}, not ${typeName(value)}`,
  const: (expected: unknown): string => `must be ${quote(expected)}`,
  enum: (allowed: readonly unknown[]): string => `must be one of ${list(allowed)}`,
  required: (names: readonly string[]): string =>
    `must have the ${names.length === 1 ? "property" : "properties"} ${list(names)}`,
  dependentRequired: (name: string, names: readonly string[]): string =>
    `must have ${list(names)} when ${quote(name)} is present`,
  unknownProperty: (): string => "is not an allowed property",
  unexpectedItem: (): string => "is not an allowed item",
  forbidden: (): string => "is not allowed",
  minProperties: (limit: number): string => `must have at least ${count(limit, "property")}`,
  maxProperties: (limit: number): string => `must have at most ${count(limit, "property")}`,
  minItems: (limit: number): string => `must have at least ${count(limit, "item")}`,
  maxItems: (limit: number): string => `must have at most ${count(limit, "item")}`,
  uniqueItems: (): string => "must not contain duplicates",
  contains: (least: number, most?: number): string =>
    most === undefined
      ? `must contain at least ${count(least, "matching item")}`
      : `must contain ${least} to ${count(most, "matching item")}`,
  minLength: (limit: number): string => `must have at least ${count(limit, "character")}`,
  maxLength: (limit: number): string => `must have at most ${count(limit, "character")}`,
  pattern: (source: string): string => `must match the pattern ${cut(source)}`,
  format: (name: string): string => `must be a valid ${cut(name)}`,
  minimum: (limit: number): string => `must be at least ${limit}`,
  maximum: (limit: number): string => `must be at most ${limit}`,
  exclusiveMinimum: (limit: number): string => `must be greater than ${limit}`,
  exclusiveMaximum: (limit: number): string => `must be less than ${limit}`,
  multipleOf: (factor: number): string => `must be a multiple of ${factor}`,
  anyOf: (failures: readonly string[]): string =>
    `must match an alternative: ${failures.slice(0, maxBranches).join("; or ")}${
      failures.length > maxBranches ? `; or ${failures.length - maxBranches} more` : ""
    }`,
  oneOf: (matching: number): string => `must match exactly one alternative, not ${matching}`,
  not: (): string => `must not match the schema under "not"`,
  if: (branch: string): string => `must match the schema under "${branch}"`,
  tooDeep: (): string => "is nested too deeply to be checked",
  tooCostly: (): string => "takes too many steps to be checked",
  mismatch: (): string => "must match the schema",
} as const;

/** A value of the schema as JSON text of at most 60 characters. */
export function quote(value: unknown): string {
  return cut(JSON.stringify(value));
}

/** At most 20 values of the schema as JSON texts. */
export function list(values: readonly unknown[]): string {
  const shown = values.slice(0, maxListed).map(quote);
  if (values.length > maxListed) shown.push(`… (${values.length - maxListed} more)`);
  return shown.join(", ");
}

function cut(text: string): string {
  return text.length <= maxQuoted ? text : `${text.slice(0, maxQuoted)}…`;
}

function count(amount: number, noun: string): string {
  if (amount === 1) return `1 ${noun}`;
  return `${amount} ${noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}
