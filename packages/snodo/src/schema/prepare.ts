import { Format } from "typebox/format";
import { isObject } from "../json/value.ts";
import { keywordsIn, mapSubschemas } from "./document.ts";
import type { SchemaDocument } from "./document.ts";
import { hasDuplicates } from "./equality.ts";
import type { Schema } from "./keywords.ts";
import { compileLinear, type Spend } from "./pattern.ts";
import { rules } from "./rules.ts";

/** What the prepared schema enforces, and who counts its work. */
export interface PrepareOptions {
  readonly assertFormats: boolean;
  /** Told about every schema that is evaluated; throws to stop. */
  readonly spend?: Spend;
}

/** A check of our own that the engine calls last, after the keywords of its schema. */
interface Refinement {
  readonly check: (value: unknown) => boolean;
  readonly error: () => string;
}

/**
 * A copy of a schema for the engine: only the keywords of its dialect, so that nothing else can be taken
 * for one; patterns in linear time; and work that is counted.
 */
export function prepareSchema(document: SchemaDocument, options: PrepareOptions): object {
  const prepare = (schema: Schema): unknown => {
    if (typeof schema === "boolean") return schema;
    const copy: Record<string, unknown> = {};
    const refinements: Refinement[] = [];
    for (const [keyword, shape, value] of keywordsIn(schema, document.dialect)) {
      const refinement = refine(keyword, value, options);
      if (refinement !== undefined) refinements.push(refinement);
      else if (!ownKeywords.has(keyword)) copy[keyword] = mapSubschemas(shape, value, prepare);
    }
    refinements.push(...ownProperties(copy));
    if (refinements.length > 0) copy["~refine"] = refinements;
    if (options.spend !== undefined) countVisits(copy, options.spend);
    return copy;
  };
  const root = prepare(document.root);
  // The engine reads schemas without a dialect by rules of its oldest one.
  return Object.assign(Object(root), {
    $schema: String(document.root["$schema"] ?? default202012),
  });
}

const default202012 = "https://json-schema.org/draft/2020-12/schema";
const ownKeywords: ReadonlySet<string> = new Set(["pattern", "format", "uniqueItems"]);

const inherited: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** The engine takes `toString` for a property of every object; only own ones must count. */
function ownProperties(copy: Record<string, unknown>): readonly Refinement[] {
  const { properties, required } = copy;
  const named = isObject(properties) ? Object.keys(properties).filter(isInherited) : [];
  if (isObject(properties) && named.length > 0) {
    const others = Object.entries(properties).filter(([name]) => !isInherited(name));
    const moved = named.map((name): [string, unknown] => [`^(?:${name})$`, properties[name]]);
    copy["properties"] = Object.fromEntries(others);
    copy["patternProperties"] = {
      ...Object.fromEntries(moved),
      ...Object(copy["patternProperties"]),
    };
  }
  if (!Array.isArray(required) || !required.some(isInherited)) return [];
  copy["required"] = required.filter((name) => !isInherited(name));
  return required.filter(isInherited).map((name) => ({
    check: (value) => !isObject(value) || Object.hasOwn(value, name),
    error: () => rules.required([name]),
  }));
}

function isInherited(name: unknown): name is string {
  return typeof name === "string" && inherited.has(name);
}

function refine(keyword: string, value: unknown, options: PrepareOptions): Refinement | undefined {
  switch (keyword) {
    case "pattern":
      return refinePattern(String(value), options);
    case "format":
      return options.assertFormats ? refineFormat(String(value)) : undefined;
    case "uniqueItems":
      return value === true ? { check: isUnique, error: rules.uniqueItems } : undefined;
    default:
      return undefined;
  }
}

function refinePattern(source: string, { spend }: PrepareOptions): Refinement {
  const host = new RegExp(source, "u");
  const test = compileLinear(source) ?? ((text: string) => host.test(text));
  return {
    check: (value) => typeof value !== "string" || test(value, spend),
    error: () => rules.pattern(source),
  };
}

function refineFormat(name: string): Refinement {
  return {
    check: (value) => typeof value !== "string" || Format.Test(name, value),
    error: () => rules.format(name),
  };
}

function isUnique(value: unknown): boolean {
  return !Array.isArray(value) || !hasDuplicates(value);
}

// The engine reads `type` of every schema that it evaluates or searches, before anything else.
function countVisits(copy: Record<string, unknown>, spend: Spend): void {
  const { type } = copy;
  const listed = [copy["enum"], copy["required"], Object.keys(Object(copy["properties"]))];
  const length = listed.reduce<number>((sum, item) => sum + lengthOf(item), 0);
  const isReference = "$ref" in copy || "$dynamicRef" in copy;
  const steps = (isReference ? 10 : 1) + (length >> 4);
  Object.defineProperty(copy, "type", {
    enumerable: true,
    get: () => {
      spend(steps);
      return type;
    },
  });
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}
