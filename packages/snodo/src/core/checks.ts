import { findNonJson, freezeJson, isObject } from "../json/value.ts";
import type { JsonObject, JsonValue } from "../json/value.ts";
import { toPointer } from "../json/pointer.ts";
import { DefinitionError } from "./errors.ts";
import type { Icon } from "./implementation.ts";

/** What is being checked: its name for messages, and where in its definition. */
export interface Subject {
  /** For example `tool "add"`. */
  readonly component: string;
  /** JSON Pointer, for example `/meta`. */
  readonly place: string;
}

/** Longest name of a component, in characters. spec: TOOL-7 */
export const maxNameLength = 128;

// Control characters, bidirectional marks and overrides, line separators, lone surrogates.
const unsafeInNames = /[\p{Cc}\p{Cs}\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;

/**
 * The name as it is: a non-empty string of at most 128 characters without control characters,
 * bidirectional marks, line separators and lone surrogates. Everything else is allowed and case
 * counts; see {@link isPortableName}. Throws {@link DefinitionError}.
 */
export function checkName(kind: string, name: unknown): string {
  if (typeof name !== "string" || name === "") {
    throw new DefinitionError(kind, "/name", "must be a non-empty string");
  }
  const component = describeComponent(kind, name);
  if (name.search(unsafeInNames) !== -1) {
    const rule = "must not hold control characters, bidirectional marks or line separators";
    throw new DefinitionError(component, "/name", rule);
  }
  if (Array.from(name).length > maxNameLength) {
    throw new DefinitionError(component, "/name", `must have at most ${maxNameLength} characters`);
  }
  return name;
}

/** True for a name that every host takes: 1 to 128 of `A-Z a-z 0-9 _ . -`. spec: TOOL-7 */
export function isPortableName(name: string): boolean {
  return /^[A-Za-z0-9_.-]{1,128}$/.test(name);
}

/** A component for messages, for example `tool "add"`: cut and escaped, so that it stays on a line. */
export function describeComponent(kind: string, name: string): string {
  const shown = name.length > 80 ? `${name.slice(0, 80)}…` : name;
  return `${kind} "${shown.replaceAll(unsafeInNames, toEscape)}"`;
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** The value if it is a string or absent. Throws {@link DefinitionError}. */
export function checkOptionalString(
  value: unknown,
  { component, place }: Subject,
): string | undefined {
  if (value === undefined || typeof value === "string") return value;
  throw new DefinitionError(component, place, "must be a string");
}

/** A copy of a JSON object, frozen at every level. Throws {@link DefinitionError} for anything else. */
export function freezeJsonObject(value: unknown, { component, place }: Subject): JsonObject {
  const problem = findNonJson(value);
  if (problem !== undefined) {
    throw new DefinitionError(component, place + toPointer(problem.path), problem.rule);
  }
  if (!isJsonObject(value)) throw new DefinitionError(component, place, "must be a JSON object");
  return freezeJson(value);
}

/** Of a value in which {@link findNonJson} found nothing. */
function isJsonObject(value: unknown): value is JsonObject {
  return isObject(value);
}

/** A frozen copy of the icons, each an `https:` or `data:` URI. Throws {@link DefinitionError}. */
export function checkIcons(value: unknown, { component, place }: Subject): readonly Icon[] {
  if (!Array.isArray(value)) {
    throw new DefinitionError(component, place, "must be an array of icons");
  }
  return Object.freeze(
    value.map((icon, index) => checkIcon(icon, { component, place: `${place}/${index}` })),
  );
}

function checkIcon(value: unknown, { component, place }: Subject): Icon {
  const icon = freezeJsonObject(value, { component, place });
  for (const [member, { isValid, rule }] of Object.entries(iconRules)) {
    if (isValid(icon[member])) continue;
    throw new DefinitionError(component, `${place}/${member}`, rule);
  }
  return icon as JsonObject & Icon;
}

const iconRules: {
  readonly [Member in keyof Icon]-?: {
    readonly isValid: (value: JsonValue | undefined) => boolean;
    readonly rule: string;
  };
} = {
  src: {
    isValid: (value) => typeof value === "string" && /^(?:https:\/\/|data:)/i.test(value),
    rule: "must be an https: or data: URI",
  },
  mimeType: {
    isValid: (value) => value === undefined || typeof value === "string",
    rule: "must be a string",
  },
  sizes: {
    isValid: (value) =>
      value === undefined ||
      (Array.isArray(value) && value.every((size) => typeof size === "string")),
    rule: "must be an array of strings",
  },
  theme: {
    isValid: (value) => value === undefined || value === "light" || value === "dark",
    rule: 'must be "light" or "dark"',
  },
};

const label = "[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?";
const metaKey = new RegExp(
  `^(?:${label}(?:\\.${label})*/)?(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?$`,
);

/** A frozen copy of `_meta` entries whose keys follow the grammar META-9. Throws {@link DefinitionError}. */
export function checkMeta(value: unknown, { component, place }: Subject): JsonObject {
  const meta = freezeJsonObject(value, { component, place });
  const bad = Object.keys(meta).find((key) => !metaKey.test(key));
  if (bad === undefined) return meta;
  const rule = `has the key ${JSON.stringify(bad)}; a key is a name, or "reverse.dns.prefix/name"`;
  throw new DefinitionError(component, place, rule);
}

/** The members without those that are undefined, in the same order. */
export function present<T extends object>(members: {
  readonly [Key in keyof Required<T>]: T[Key] | undefined;
}): T {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as T;
}
