import type { JsonObject } from "../json/value.ts";
import { findTarget, keywordsIn, readDocument } from "./document.ts";
import type { SchemaDocument, SchemaNode } from "./document.ts";
import { compileLinear, isLinearInHost } from "./pattern.ts";
import { SchemaError } from "./validator.ts";

/** What a schema may cost; beyond it the schema is refused with the name of the limit. */
export const schemaLimits = {
  /** Nesting of objects and arrays. */
  maxDepth: 128,
  /** Values plus characters of strings and keys: about the length of the JSON text. */
  maxSize: 1_048_576,
  /** Schemas inside the schema. */
  maxSubschemas: 5_000,
  /** Schemas that apply to one value after every `$ref` is followed. */
  maxExpansion: 20_000,
  /** `$ref` after `$ref`, and `allOf` in `allOf`, for one value. */
  maxChain: 128,
  /** Characters of a regular expression. */
  maxPatternLength: 1_024,
} as const;

/** What a schema may refer to and how far it is trusted. */
export interface GuardOptions {
  /** Patterns of a schema that is not trusted must run in linear time. */
  readonly trusted: boolean;
  /** Reads a registered document by its URI without fragment; nothing is ever fetched. */
  readonly findDocument: (uri: string) => SchemaDocument | undefined;
}

/** A schema that passed the guard, and the registered documents that it needs, by URI. */
export interface GuardedSchema {
  readonly document: SchemaDocument;
  readonly others: ReadonlyMap<string, SchemaDocument>;
}

/**
 * Refuses a schema that cannot be enforced or would cost too much, with a {@link SchemaError}: unknown
 * dialect, malformed keyword, a reference that leaves the document or leads nowhere, a circle of
 * references, a pattern that can backtrack (when not trusted), or more than {@link schemaLimits}.
 */
export function guardSchema(schema: JsonObject, options: GuardOptions): GuardedSchema {
  const document = readBounded(schema);
  const others = new Map<string, SchemaDocument>();
  const state: State = { options, others, costs: new Map(), chain: new Set() };
  const open = [document];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const known = others.size;
    for (const node of next.nodes.values()) {
      assertPatterns(node, next, options.trusted);
      assertCost(state, { node, document: next });
    }
    open.push(...[...others.values()].slice(known));
  }
  return { document, others };
}

/** Reads a document within {@link schemaLimits}. */
export function readBounded(schema: JsonObject, uri?: string): SchemaDocument {
  measure(schema, schemaLimits.maxDepth, { left: schemaLimits.maxSize });
  const { maxSubschemas } = schemaLimits;
  return readDocument(schema, uri === undefined ? { maxSubschemas } : { maxSubschemas, uri });
}

function measure(value: unknown, depthLeft: number, size: { left: number }): void {
  size.left -= typeof value === "string" ? value.length + 1 : 1;
  if (size.left < 0) throw new SchemaError(`The schema is larger than ${schemaLimits.maxSize}`);
  if (typeof value !== "object" || value === null) return;
  if (depthLeft === 0) {
    throw new SchemaError(`The schema is nested deeper than ${schemaLimits.maxDepth} levels`);
  }
  for (const [key, item] of Object.entries(value)) {
    if (!Array.isArray(value)) size.left -= key.length;
    measure(item, depthLeft - 1, size);
  }
}

function assertPatterns(node: SchemaNode, document: SchemaDocument, trusted: boolean): void {
  for (const [keyword, , value] of keywordsIn(node.schema, document.dialect)) {
    if (keyword === "pattern") assertPattern(String(value), node, trusted ? undefined : isLinear);
    if (keyword !== "patternProperties" || typeof value !== "object" || value === null) continue;
    for (const key of Object.keys(value)) {
      assertPattern(key, node, trusted ? undefined : isLinearInHost);
    }
  }
}

function isLinear(source: string): boolean {
  return compileLinear(source) !== undefined;
}

function assertPattern(
  source: string,
  { pointer }: SchemaNode,
  isAllowed: (source: string) => boolean = () => true,
): void {
  const { maxPatternLength } = schemaLimits;
  if (source.length > maxPatternLength) {
    throw new SchemaError(`A pattern is longer than ${maxPatternLength} characters`, pointer);
  }
  assertSyntax(source, pointer);
  if (!isAllowed(source)) {
    throw new SchemaError("A pattern of a schema that is not trusted could backtrack", pointer);
  }
}

function assertSyntax(source: string, pointer: string): RegExp {
  try {
    return new RegExp(source, "u");
  } catch (error) {
    const reason = error instanceof Error ? error.message : "";
    throw new SchemaError(`A pattern is not valid with the flag "u": ${reason}`, pointer);
  }
}

/** What it takes to check one value: how many schemas apply, and how many inside one another. */
interface Cost {
  readonly schemas: number;
  readonly height: number;
}

interface State {
  readonly options: GuardOptions;
  readonly others: Map<string, SchemaDocument>;
  readonly costs: Map<SchemaNode, Cost>;
  readonly chain: Set<SchemaNode>;
}

function assertCost(state: State, position: Position): Cost {
  const { node, document } = position;
  const known = state.costs.get(node);
  if (known !== undefined) return known;
  if (state.chain.has(node)) {
    throw new SchemaError("The schema refers to itself without going into the value", node.pointer);
  }
  // Before the parts, because it also bounds the recursion.
  assertChain(state.chain.size + 1, node);
  state.chain.add(node);
  const parts = [
    ...node.sameValue.map((part) => assertCost(state, { node: part, document })),
    ...node.references.map((uri) => assertCost(state, follow(state, uri, position))),
  ];
  state.chain.delete(node);
  const schemas = parts.reduce((sum, part) => sum + part.schemas, 1);
  const height = parts.reduce((most, part) => Math.max(most, part.height), 0) + 1;
  assertChain(height, node);
  if (schemas > schemaLimits.maxExpansion) {
    throw new SchemaError(
      `References make more than ${schemaLimits.maxExpansion} schemas apply to one value`,
      node.pointer,
    );
  }
  state.costs.set(node, { schemas, height });
  return { schemas, height };
}

function assertChain(length: number, { pointer }: SchemaNode): void {
  if (length <= schemaLimits.maxChain) return;
  throw new SchemaError(`More than ${schemaLimits.maxChain} schemas in a chain`, pointer);
}

interface Position {
  readonly node: SchemaNode;
  readonly document: SchemaDocument;
}

function follow(state: State, reference: URL, from: Position): Position {
  const local = findTarget(from.document, reference);
  if (local !== undefined) return { node: local, document: from.document };
  const uri = reference.href.replace(/#.*$/s, "");
  const document = state.others.get(uri) ?? state.options.findDocument(uri);
  const node = document === undefined ? undefined : findTarget(document, reference);
  if (document !== undefined && node !== undefined) {
    state.others.set(uri, document);
    return { node, document };
  }
  const named = JSON.stringify(reference.href.replace(/^schema:\/\/\//, "").slice(0, 200));
  throw new SchemaError(
    `The reference ${named} does not lead to a schema here; other documents are never fetched`,
    from.node.pointer,
  );
}
