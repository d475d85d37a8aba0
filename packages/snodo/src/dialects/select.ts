import { RpcError } from "../jsonrpc/error.ts";
import type { RequestMessage } from "../jsonrpc/message.ts";
import type { Call } from "../core/call.ts";
import type { ServerFacts } from "../core/operation.ts";
import type { Dialect, Envelope } from "./dialect.ts";
import { readEnvelope } from "./envelope.ts";

/** The revision that a request is written in, and what it says about its sender. */
export interface Selection {
  readonly dialect: Dialect;
  readonly envelope: Envelope;
}

/** The revisions to choose from. */
export interface Served {
  readonly dialects: ReadonlyMap<string, Dialect>;
  readonly facts: ServerFacts;
}

/**
 * Chooses the revision of a request by its `_meta`. Throws `RpcError`, in this order: -32602 when the
 * metadata is missing or malformed, -32020 when the version header differs, -32022 when the version is
 * not served. spec: META-3, HTTP-33, VER-2
 */
export function selectDialect(
  message: RequestMessage,
  call: Call,
  { dialects, facts }: Served,
): Selection {
  const envelope = readEnvelope(message.params, facts.versions);
  const { protocolVersion } = envelope;
  if (call.http !== undefined && call.http.header("mcp-protocol-version") !== protocolVersion) {
    throw RpcError.headerMismatch(
      "The header MCP-Protocol-Version must be present and equal the version in params._meta",
    );
  }
  const dialect = dialects.get(protocolVersion);
  if (dialect === undefined)
    throw RpcError.unsupportedProtocolVersion(protocolVersion, facts.versions);
  return { dialect, envelope };
}
