import { isObject, type JsonObject, type JsonValue } from "../json/value.ts";
import { encodeHeaderValue } from "../core/header-value.ts";
import { metaKeys } from "../dialects/envelope.ts";
import type { HeaderAnnotation } from "../schema/header-annotations.ts";
import type { OutgoingRequest } from "./transport.ts";

/** The protocol revision that the client speaks. */
export const protocolVersion = "2026-07-28";

/** Who asks: the same in every request of a client. */
export interface Requester {
  readonly info: JsonValue;
  readonly capabilities: JsonValue;
}

/** The metadata that each request must carry; it wins over `extra`. spec: META-1, META-2, PRG-1 */
export function composeMeta(requester: Requester, id: number, extra?: JsonObject): JsonObject {
  const meta: JsonObject = {
    [metaKeys.protocolVersion]: protocolVersion,
    [metaKeys.clientInfo]: requester.info,
    [metaKeys.clientCapabilities]: requester.capabilities,
    progressToken: id,
  };
  return extra === undefined ? meta : { ...extra, ...meta };
}

/** The JSON text of a request. */
export function encodeRequest({ id, method, params }: OutgoingRequest): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}

/** The parameter that `Mcp-Name` mirrors. spec: HTTP-31 */
const nameParameters: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
  "tasks/get": "taskId",
  "tasks/update": "taskId",
  "tasks/cancel": "taskId",
};

/**
 * The HTTP headers that mirror a request: method, name, and the arguments that the tool annotates. An
 * argument that is absent or null has none. spec: HTTP-30, HTTP-31, XMH-5
 */
export function mirrorHeaders(
  method: string,
  params: JsonObject,
  mirrors: readonly HeaderAnnotation[],
): Record<string, string> {
  const headers: Record<string, string> = {
    "MCP-Protocol-Version": protocolVersion,
    "Mcp-Method": method,
  };
  const nameParameter = Object.hasOwn(nameParameters, method) ? nameParameters[method] : undefined;
  const name = nameParameter === undefined ? undefined : params[nameParameter];
  if (typeof name === "string") headers["Mcp-Name"] = encodeHeaderValue(name);
  for (const { name, path } of mirrors) {
    const value = valueAt(params["arguments"], path);
    if (value === undefined || value === null || typeof value === "object") continue;
    headers[`Mcp-Param-${name}`] = encodeHeaderValue(String(value));
  }
  return headers;
}

function valueAt(args: unknown, path: readonly string[]): unknown {
  let value = args;
  for (const key of path) {
    if (!isObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}
