import type { JsonObject, JsonValue } from "../json/value.ts";

/** The codes that JSON-RPC 2.0 and MCP define. spec: basic#error-codes */
export const errorCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  headerMismatch: -32020,
  missingClientCapability: -32021,
  unsupportedProtocolVersion: -32022,
  /** Ours, outside every reserved range: an authorization policy refused. */
  forbidden: 403,
} as const;

/** The `error` member of a JSON-RPC response. */
export interface ErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: JsonValue;
}

/** What {@link RpcError} takes beside code and message. */
export interface RpcErrorOptions {
  /** Sent to the peer as `error.data`; leave secrets out. */
  readonly data?: JsonValue | undefined;
  /** The original failure. Never sent. */
  readonly cause?: unknown;
}

/**
 * A JSON-RPC error: thrown by a handler it reaches the caller unchanged (code, message, data), thrown
 * by the client it is what the server answered. Use the named constructors; application codes belong
 * outside -32768…-32000.
 */
export class RpcError extends Error {
  override readonly name: string = "RpcError";
  readonly code: number;
  readonly data: JsonValue | undefined;

  constructor(code: number, message: string, options: RpcErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.data = options.data;
  }

  /** -32700: the bytes were not JSON. */
  static parseError(message: string): RpcError {
    return new RpcError(errorCodes.parseError, message);
  }

  /** -32600: JSON, but not one request or notification. */
  static invalidRequest(message: string): RpcError {
    return new RpcError(errorCodes.invalidRequest, message);
  }

  /** -32601: no such method, or one that this server does not advertise. */
  static methodNotFound(method: string): RpcError {
    return new RpcError(errorCodes.methodNotFound, `Method not found: ${method}`);
  }

  /** -32602: the request should never have been dispatched with these parameters. */
  static invalidParams(message: string, data?: JsonValue): RpcError {
    return new RpcError(errorCodes.invalidParams, message, { data });
  }

  /** -32603: a fault of this side. `cause` stays here. */
  static internal(message: string = "Internal error", cause?: unknown): RpcError {
    return new RpcError(errorCodes.internal, message, { cause });
  }

  /** -32020: a mirrored HTTP header is missing, malformed or differs from the body. */
  static headerMismatch(message: string): RpcError {
    return new RpcError(errorCodes.headerMismatch, message);
  }

  /** -32021: the request needs client capabilities that it did not declare. */
  static missingClientCapability(requiredCapabilities: JsonObject): RpcError {
    const names = Object.keys(requiredCapabilities).join(", ");
    return new RpcError(
      errorCodes.missingClientCapability,
      `The client must declare these capabilities: ${names}`,
      { data: { requiredCapabilities } },
    );
  }

  /** -32022: the protocol version is not served. */
  static unsupportedProtocolVersion(requested: string, supported: readonly string[]): RpcError {
    return new RpcError(
      errorCodes.unsupportedProtocolVersion,
      `Unsupported protocol version; supported: ${supported.join(", ")}`,
      { data: { requested, supported } },
    );
  }

  /** 403: the server's policy refuses this operation to this caller. */
  static forbidden(message: string, data?: JsonValue): RpcError {
    return new RpcError(errorCodes.forbidden, message, { data });
  }

  /** `error` itself if it is an `RpcError`, else -32603 with `error` as its cause. */
  static from(error: unknown): RpcError {
    return error instanceof RpcError ? error : RpcError.internal("Internal error", error);
  }

  /** The `error` member as it goes over the wire. */
  toJSON(): ErrorObject {
    const { code, message, data } = this;
    return data === undefined ? { code, message } : { code, message, data };
  }
}
