/**
 * Why a client failed on its own side.
 *
 * - `timeout`: a time limit passed; the message names its option.
 * - `closed`: the connection or the client was closed before the answer came.
 * - `connect`, `spawn`: the server could not be reached or started.
 * - `http-status`: an HTTP status without a JSON-RPC message; see `status`.
 * - `protocol`: the answer breaks the protocol.
 * - `too-large`: the answer is larger than `maxResponseBytes`.
 * - `invalid-output`: structured content is missing or breaks the tool's output schema.
 * - `unsupported-result`: a `resultType` that this client cannot handle.
 * - `limit`: another limit was reached; the message names it.
 */
export type ClientErrorReason =
  | "timeout"
  | "closed"
  | "connect"
  | "spawn"
  | "http-status"
  | "protocol"
  | "too-large"
  | "invalid-output"
  | "unsupported-result"
  | "limit";

/**
 * Whether the server may have executed the request: `none` means that it surely has not, so that
 * sending it again is harmless.
 */
export type Outcome = "none" | "unknown";

/** What {@link ClientError} takes beside reason and message. */
export interface ClientErrorOptions {
  readonly outcome: Outcome;
  /** HTTP status, for `http-status`. */
  readonly status?: number | undefined;
  /** The original failure. */
  readonly cause?: unknown;
}

/** A failure on the client's side. What the server answered is an `RpcError` instead. */
export class ClientError extends Error {
  override readonly name: string = "ClientError";
  readonly reason: ClientErrorReason;
  readonly outcome: Outcome;
  /** HTTP status, for the reason `http-status`. */
  readonly status: number | undefined;

  constructor(reason: ClientErrorReason, message: string, options: ClientErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.reason = reason;
    this.outcome = options.outcome;
    this.status = options.status;
  }
}
