import { isObject } from "../json/value.ts";
import { rules } from "./rules.ts";

/**
 * A keyword that limits a size, a length in code points or a number: when a value satisfies it, and the
 * sentence for when it does not. Values of another type satisfy it.
 */
export type Bound = readonly [
  keyword: string,
  isValid: (value: unknown, limit: number) => boolean,
  rule: (limit: number) => string,
];

const size = (value: unknown): number | undefined =>
  isObject(value) ? Object.keys(value).length : undefined;
const length = (value: unknown): number | undefined =>
  Array.isArray(value) ? value.length : undefined;
const number = (value: unknown): number | undefined =>
  typeof value === "number" ? value : undefined;

/** The bounds that the basic validator enforces, in the order in which they are reported. */
export const bounds: readonly Bound[] = [
  ["minProperties", (value, limit) => (size(value) ?? limit) >= limit, rules.minProperties],
  ["maxProperties", (value, limit) => (size(value) ?? limit) <= limit, rules.maxProperties],
  ["minItems", (value, limit) => (length(value) ?? limit) >= limit, rules.minItems],
  ["maxItems", (value, limit) => (length(value) ?? limit) <= limit, rules.maxItems],
  [
    "minLength",
    (value, limit) => typeof value !== "string" || isLong(value, limit),
    rules.minLength,
  ],
  [
    "maxLength",
    (value, limit) => typeof value !== "string" || !isLong(value, limit + 1),
    rules.maxLength,
  ],
  ["minimum", (value, limit) => (number(value) ?? limit) >= limit, rules.minimum],
  ["maximum", (value, limit) => (number(value) ?? limit) <= limit, rules.maximum],
  [
    "exclusiveMinimum",
    (value, limit) => (number(value) ?? Infinity) > limit,
    rules.exclusiveMinimum,
  ],
  [
    "exclusiveMaximum",
    (value, limit) => (number(value) ?? -Infinity) < limit,
    rules.exclusiveMaximum,
  ],
];

/** True when `text` has at least `limit` code points; looks at no more of it than needed. */
function isLong(text: string, limit: number): boolean {
  if (text.length < limit) return false;
  if (text.length >= 2 * limit) return true;
  let points = 0;
  for (const _ of text) points += 1;
  return points >= limit;
}
