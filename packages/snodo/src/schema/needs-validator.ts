import { isObject, type JsonObject } from "../json/value.ts";
import { isSchemaObject } from "./document.ts";
import { keywordsOf } from "./keywords.ts";

// Advertised only, enforced by the server itself, or without effect unless another keyword refers to them.
const harmless = new Set([
  "type",
  "properties",
  "required",
  "format",
  "$schema",
  "$id",
  "$anchor",
  "$dynamicAnchor",
  "$defs",
  "definitions",
]);

/**
 * True when a raw schema, at the root or below `properties`, holds a JSON Schema keyword beyond `type`,
 * `properties`, `required` and annotations, so that the pass-through validator would promise more than
 * it enforces. Keywords that no validator knows count as annotations; a `false` subschema counts.
 */
export function needsValidator(schema: JsonObject): boolean {
  for (const keyword of Object.keys(schema)) {
    if (!harmless.has(keyword) && isConstraint(keyword)) return true;
  }
  const properties = schema["properties"];
  if (!isObject(properties)) return false;
  return Object.values(properties).some(
    (property) => property === false || (isSchemaObject(property) && needsValidator(property)),
  );
}

function isConstraint(keyword: string): boolean {
  return keywordsOf["2020-12"].has(keyword) || keywordsOf["draft-07"].has(keyword);
}
