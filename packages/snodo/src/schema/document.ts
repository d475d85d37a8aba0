import { toPointer } from "../json/pointer.ts";
import { isObject, type JsonObject, type JsonValue } from "../json/value.ts";
import { assertKeyword, keywordsOf } from "./keywords.ts";
import type { KeywordShape, Schema, SchemaDialect } from "./keywords.ts";
import { SchemaError } from "./validator.ts";

/** One schema inside a document. */
export interface SchemaNode {
  readonly schema: Schema;
  /** JSON Pointer inside the document. */
  readonly pointer: string;
  /** The URI against which references are resolved. */
  readonly base: string;
  /** The schemas that apply to the same value as this one (`allOf`, `if`, …), references excepted. */
  readonly sameValue: readonly SchemaNode[];
  /** `$ref` and `$dynamicRef` as absolute URIs. */
  readonly references: readonly URL[];
}

/** A schema that has been walked once: every subschema, and what references can name. */
export interface SchemaDocument {
  readonly root: JsonObject;
  readonly dialect: SchemaDialect;
  readonly nodes: ReadonlyMap<string, SchemaNode>;
  /** Pointers by URI of an embedded resource, or URI, `#` and anchor. */
  readonly targets: ReadonlyMap<string, string>;
}

/** How a document is read. */
export interface ReadOptions {
  /** The URI under which the document is known; without it only local references resolve. */
  readonly uri?: string;
  /** More subschemas than this are refused. */
  readonly maxSubschemas: number;
}

/**
 * Walks a schema. Throws {@link SchemaError} for an unknown dialect, a malformed keyword or URI, or too
 * many subschemas. The caller has bounded depth and size.
 */
export function readDocument(root: JsonObject, options: ReadOptions): SchemaDocument {
  const dialect = dialectOf(root["$schema"], "");
  const walk: Walk = { dialect, nodes: new Map(), targets: new Map(), options };
  const base = options.uri ?? localUri;
  walk.targets.set(base, "");
  readNode(walk, { schema: root, pointer: "", base });
  return { root, dialect, nodes: walk.nodes, targets: walk.targets };
}

// A hierarchical scheme, so that relative identifiers can be resolved.
const localUri = "schema:///";

interface Walk {
  readonly dialect: SchemaDialect;
  readonly nodes: Map<string, SchemaNode>;
  readonly targets: Map<string, string>;
  readonly options: ReadOptions;
}

interface Place {
  readonly schema: Schema;
  readonly pointer: string;
  readonly base: string;
}

const dialects: ReadonlyMap<string, SchemaDialect> = new Map([
  ["json-schema.org/draft/2020-12/schema", "2020-12"],
  ["json-schema.org/draft-07/schema", "draft-07"],
]);

function dialectOf(uri: JsonValue | undefined, pointer: string): SchemaDialect {
  if (uri === undefined) return "2020-12";
  const dialect = dialects.get(
    String(uri)
      .replace(/^https?:\/\//, "")
      .replace(/#$/, ""),
  );
  if (dialect !== undefined) return dialect;
  const named = JSON.stringify(uri).slice(0, 200);
  throw new SchemaError(
    `The schema dialect ${named} is not supported; supported are 2020-12 and draft-07`,
    pointer,
  );
}

function readNode(walk: Walk, place: Place): SchemaNode {
  if (walk.nodes.size >= walk.options.maxSubschemas) {
    throw new SchemaError(`The schema has more than ${walk.options.maxSubschemas} subschemas`);
  }
  const { schema, pointer } = place;
  const base = typeof schema === "boolean" ? place.base : identify(walk, schema, place);
  const sameValue: SchemaNode[] = [];
  const references: URL[] = [];
  const node: SchemaNode = { schema, pointer, base, sameValue, references };
  walk.nodes.set(pointer, node);
  for (const [keyword, shape, value] of keywordsIn(schema, walk.dialect)) {
    assertKeyword(keyword, value, { shape, pointer });
    if (keyword === "$ref" || keyword === "$dynamicRef") {
      references.push(resolveUri(String(value), base, pointer));
    }
    mapSubschemas(shape, value, (subschema, path) => {
      const at = pointer + toPointer([keyword, ...path]);
      const child = readNode(walk, { schema: subschema, pointer: at, base });
      if (sameValueKeywords.has(keyword)) sameValue.push(child);
      return subschema;
    });
  }
  return node;
}

const sameValueKeywords: ReadonlySet<string> = new Set(
  "allOf anyOf oneOf not if then else dependentSchemas dependencies".split(" "),
);

/** Notes the names of a schema; gives the URI that holds inside it. */
function identify(walk: Walk, schema: JsonObject, { pointer, base }: Place): string {
  const { $id, $ref, $schema, $anchor, $dynamicAnchor } = schema;
  if (pointer !== "" && $schema !== undefined && dialectOf($schema, pointer) !== walk.dialect) {
    throw new SchemaError("A schema cannot mix dialects", pointer);
  }
  const isDraft07 = walk.dialect === "draft-07";
  let inside = base;
  if (typeof $id === "string" && !(isDraft07 && $ref !== undefined)) {
    const uri = resolveUri($id, base, pointer);
    const name = uri.hash.slice(1);
    if (name !== "") walk.targets.set(uri.href, pointer);
    else walk.targets.set((inside = withoutHash(uri)), pointer);
  }
  for (const anchor of isDraft07 ? [] : [$anchor, $dynamicAnchor]) {
    if (typeof anchor === "string") walk.targets.set(`${inside}#${anchor}`, pointer);
  }
  return inside;
}

function resolveUri(reference: string, base: string, pointer: string): URL {
  if (URL.canParse(reference, base)) return new URL(reference, base);
  throw new SchemaError(`${JSON.stringify(reference.slice(0, 200))} is not a URI`, pointer);
}

function withoutHash(uri: URL): string {
  return uri.href.replace(/#.*$/s, "");
}

/**
 * The schema that a reference names inside a document: by resource and JSON Pointer, or by anchor.
 * `undefined` when it is not there; text that is no schema (annotations, `enum`) is never a target.
 */
export function findTarget(document: SchemaDocument, reference: URL): SchemaNode | undefined {
  const anchor = document.targets.get(reference.href);
  if (anchor !== undefined) return document.nodes.get(anchor);
  const resource = document.targets.get(withoutHash(reference));
  const fragment = decode(reference.hash.slice(1));
  if (resource === undefined || (fragment !== "" && !fragment?.startsWith("/"))) return undefined;
  return document.nodes.get(resource + fragment);
}

function decode(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

type KeywordEntry = readonly [keyword: string, shape: KeywordShape, value: JsonValue];

/** The keywords of a schema that its dialect gives a meaning to. */
export function keywordsIn(schema: Schema, dialect: SchemaDialect): readonly KeywordEntry[] {
  if (typeof schema === "boolean") return [];
  const known = keywordsOf[dialect];
  // In draft-07 a reference makes its siblings meaningless, except as targets of other references.
  const isAlone = dialect === "draft-07" && typeof schema["$ref"] === "string";
  return Object.entries(schema).flatMap(([keyword, value]): KeywordEntry[] => {
    const shape = known.get(keyword);
    if (shape === undefined || (isAlone && !besideReference.has(keyword))) return [];
    return [[keyword, shape, value]];
  });
}

const besideReference: ReadonlySet<string> = new Set(["$ref", "$schema", "$defs", "definitions"]);

/** Calls `visit` for each subschema in the value of a keyword; gives the value with the replacements. */
export function mapSubschemas(
  shape: KeywordShape,
  value: JsonValue,
  visit: (subschema: Schema, path: readonly (string | number)[]) => unknown,
): unknown {
  if (!shape.startsWith("schema")) return value;
  if (Array.isArray(value)) {
    return value.map((item, index) => (isSchema(item) ? visit(item, [index]) : item));
  }
  if (!shape.endsWith("Map")) return isSchema(value) ? visit(value, []) : value;
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [
    key,
    isSchema(item) ? visit(item, [key]) : item,
  ]);
  return Object.fromEntries(entries);
}

/** True for an object or a boolean. */
export function isSchema(value: JsonValue | undefined): value is Schema {
  return typeof value === "boolean" || isObject(value);
}

/** True for an object of keywords. That it holds only JSON is not checked. */
export function isSchemaObject(value: unknown): value is JsonObject {
  return isObject(value);
}
