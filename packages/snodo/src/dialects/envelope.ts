import { isObject, type JsonObject } from "../json/value.ts";
import { RpcError } from "../jsonrpc/error.ts";
import { isRequestId } from "../jsonrpc/message.ts";
import type { Implementation } from "../core/implementation.ts";
import type { Envelope } from "./dialect.ts";

/** Keys of `_meta` that the protocol reserves. spec: basic#_meta */
export const metaKeys = {
  protocolVersion: "io.modelcontextprotocol/protocolVersion",
  clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
  clientInfo: "io.modelcontextprotocol/clientInfo",
  serverInfo: "io.modelcontextprotocol/serverInfo",
} as const;

/**
 * Reads the metadata that each request must carry. Throws `RpcError` -32602 when a required field is
 * missing or any known field has the wrong type. spec: META-1, META-3
 */
export function readEnvelope(params: JsonObject, versions: readonly string[]): Envelope {
  const meta = params["_meta"] ?? {};
  if (!isObject(meta)) throw RpcError.invalidParams("params._meta must be an object");
  const protocolVersion = meta[metaKeys.protocolVersion];
  const clientCapabilities = meta[metaKeys.clientCapabilities];
  const clientInfo = meta[metaKeys.clientInfo];
  const { progressToken } = meta;
  if (typeof protocolVersion !== "string") {
    throw invalid(
      "protocolVersion",
      `must name a protocol version; supported: ${versions.join(", ")}`,
    );
  }
  if (!isObject(clientCapabilities)) throw invalid("clientCapabilities", "must be an object");
  for (const name of capabilityNames) {
    if (clientCapabilities[name] === undefined || isObject(clientCapabilities[name])) continue;
    throw invalid("clientCapabilities", `must have an object as its member "${name}"`);
  }
  if (clientInfo !== undefined && !isImplementation(clientInfo)) {
    throw invalid("clientInfo", 'must have a string "name" and a string "version"');
  }
  if (progressToken !== undefined && !isRequestId(progressToken)) {
    throw RpcError.invalidParams("params._meta.progressToken must be a string or an integer");
  }
  const hasTrace = "traceparent" in meta || "baggage" in meta;
  const trace = hasTrace ? readTrace(meta) : noTrace;
  return { protocolVersion, clientCapabilities, clientInfo, progressToken, trace };
}

/** Members with a defined form; others may be anything. spec: ClientCapabilities */
const capabilityNames = ["experimental", "roots", "sampling", "elicitation", "extensions"] as const;

function invalid(key: keyof typeof metaKeys, rule: string): RpcError {
  return RpcError.invalidParams(`params._meta["${metaKeys[key]}"] ${rule}`);
}

function isImplementation(value: unknown): value is Implementation {
  return isObject(value) && typeof value.name === "string" && typeof value.version === "string";
}

const noTrace: Envelope["trace"] = Object.freeze({});

function readTrace(meta: { readonly [key: string]: unknown }): Envelope["trace"] {
  const { traceparent, tracestate, baggage } = meta;
  return {
    ...(typeof traceparent === "string" ? { traceparent } : {}),
    ...(typeof tracestate === "string" ? { tracestate } : {}),
    ...(typeof baggage === "string" ? { baggage } : {}),
  };
}
