import { isObject, maxJsonDepth } from "../json/value.ts";
import type { JsonProblem } from "../json/value.ts";
import { toPointer } from "../json/pointer.ts";
import { SchemaError } from "./validator.ts";

/** One `x-mcp-header` annotation of an input schema. */
export interface HeaderAnnotation {
  /** As declared, for example `Region`; the header is `Mcp-Param-Region`. */
  readonly name: string;
  /** The header's name in lower case, for example `mcp-param-region`. */
  readonly header: string;
  /** Property names from the root of the arguments. */
  readonly path: readonly string[];
  readonly type: "string" | "integer" | "boolean";
}

/**
 * The `x-mcp-header` annotations of an input schema, in document order. Throws {@link SchemaError}
 * with pointer and rule for the first one that breaks a rule, wherever it stands; see
 * {@link scanHeaderAnnotations}.
 */
export function findHeaderAnnotations(schema: unknown): readonly HeaderAnnotation[] {
  const { annotations, problem } = scanHeaderAnnotations(schema);
  if (problem !== undefined) throw new SchemaError(problem.rule, toPointer(problem.path));
  return annotations;
}

/**
 * Like {@link findHeaderAnnotations}, and gives the first problem instead of throwing it. An
 * annotation is a non-empty RFC 9110 token, unique ignoring case, on a property whose `type` is
 * exactly `"string"`, `"integer"` or `"boolean"` and which `properties` alone leads to. Schemas
 * nested deeper than 128 levels are a problem too. spec: XMH-3
 */
export function scanHeaderAnnotations(schema: unknown): {
  readonly annotations: readonly HeaderAnnotation[];
  readonly problem: JsonProblem | undefined;
} {
  const scan = new Scan();
  const problem = scan.visitSchema(schema, { path: [], names: [] });
  return { annotations: scan.found, problem };
}

const keyword = "x-mcp-header";
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Their values are instances, not schemas. */
const dataKeywords: ReadonlySet<string> = new Set(["const", "default", "enum", "examples"]);

/** Their values map names to schemas, so that a key is never a keyword. */
const mapKeywords: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "dependentSchemas",
  "dependencies",
  "$defs",
  "definitions",
]);

interface Place {
  /** From the root of the schema. */
  readonly path: readonly (string | number)[];
  /** Property names when `properties` alone leads here, else undefined. */
  readonly names: readonly string[] | undefined;
}

class Scan {
  readonly found: HeaderAnnotation[] = [];

  visitSchema(schema: unknown, place: Place): JsonProblem | undefined {
    if (place.path.length > maxJsonDepth) return { path: place.path, rule: "is nested too deeply" };
    if (Array.isArray(schema)) return this.#visitItems(schema, place.path);
    if (!isObject(schema)) return undefined;
    if (Object.hasOwn(schema, keyword)) {
      const rule = this.#record(schema, place.names);
      if (rule !== undefined) return { path: [...place.path, keyword], rule };
    }
    for (const [key, value] of Object.entries(schema)) {
      if (key === keyword || dataKeywords.has(key)) continue;
      const problem = this.#visitKeyword(key, value, place);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  #visitKeyword(key: string, value: unknown, place: Place): JsonProblem | undefined {
    const path = [...place.path, key];
    if (!mapKeywords.has(key) || !isObject(value)) {
      return this.visitSchema(value, { path, names: undefined });
    }
    for (const [name, schema] of Object.entries(value)) {
      const names = key === "properties" && place.names ? [...place.names, name] : undefined;
      const problem = this.visitSchema(schema, { path: [...path, name], names });
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  #visitItems(
    items: readonly unknown[],
    path: readonly (string | number)[],
  ): JsonProblem | undefined {
    for (const [index, item] of items.entries()) {
      const problem = this.visitSchema(item, { path: [...path, index], names: undefined });
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  /** Keeps the annotation, or says which rule it breaks. */
  #record(
    schema: { readonly [key: string]: unknown },
    names: readonly string[] | undefined,
  ): string | undefined {
    const name = schema[keyword];
    const { type } = schema;
    if (names === undefined || names.length === 0) {
      return `${keyword} is allowed only on a property that "properties" alone leads to`;
    }
    if (typeof name !== "string" || !token.test(name)) {
      return `${keyword} must be a non-empty string of letters, digits and !#$%&'*+-.^_\`|~`;
    }
    if (type !== "string" && type !== "integer" && type !== "boolean") {
      return `${keyword} needs a property of type "string", "integer" or "boolean"`;
    }
    const header = `mcp-param-${name.toLowerCase()}`;
    const same = this.found.find((other) => other.header === header);
    if (same !== undefined) {
      return `${keyword} "${name}" is already used by ${toPointer(same.path)} (case is ignored)`;
    }
    this.found.push({ name, header, path: names, type });
    return undefined;
  }
}
