import type { JsonObject } from "../json/value.ts";
import type { RequestMessage } from "../jsonrpc/message.ts";
import type { Call } from "../core/call.ts";
import type { ClientCapabilities, Implementation } from "../core/implementation.ts";
import type { Operation, OperationResults, ServerFacts } from "../core/operation.ts";
import type { HeaderAnnotation } from "../schema/header-annotations.ts";

/** What a request says about itself and its sender. */
export interface Envelope {
  readonly protocolVersion: string;
  readonly clientInfo: Implementation | undefined;
  readonly clientCapabilities: ClientCapabilities;
  readonly progressToken: string | number | undefined;
  readonly trace: {
    readonly traceparent?: string;
    readonly tracestate?: string;
    readonly baggage?: string;
  };
}

/** A notification of progress in the form of a revision. */
export interface ProgressUpdate {
  readonly token: string | number;
  readonly done: number;
  readonly total: number | undefined;
  readonly message: string | undefined;
}

/** One protocol revision: how its requests are read and its results written. */
export interface Dialect {
  /** `YYYY-MM-DD`. */
  readonly version: string;
  /**
   * The operation that a request asks for. Throws `RpcError` when its headers differ from its body,
   * its method is unknown or not served, or its parameters have the wrong shape.
   */
  decodeOperation(message: RequestMessage, call: Call, server: ServerFacts): Operation;
  /** Checks the headers that mirror arguments of a tool call. Throws `RpcError` -32020. */
  checkMirrors(mirrors: readonly HeaderAnnotation[], args: JsonObject, call: Call): void;
  /** The wire form of an operation's result, or its text as an `EncodedJson`. */
  encodeResult<Kind extends Operation["kind"]>(
    kind: Kind,
    result: OperationResults[Kind],
    server: ServerFacts,
  ): object;
  /** Method and parameters of a progress notification. */
  encodeProgress(update: ProgressUpdate): { readonly method: string; readonly params: JsonObject };
}
