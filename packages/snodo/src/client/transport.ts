import type { JsonObject } from "../json/value.ts";
import type { ResponseMessage } from "../jsonrpc/message.ts";
import type { Cancellation } from "../core/cancellation.ts";
import type { WarningKind } from "./options.ts";

/** One request as a transport gets it. */
export interface OutgoingRequest {
  /** Not used by any other request of this client. */
  readonly id: number;
  readonly method: string;
  /** With `_meta`. In process it shares nothing with the caller that could change. */
  readonly params: JsonObject;
  /** Headers that mirror the body, for transports of kind `http`; else empty. spec: HTTP-30 */
  readonly headers: Readonly<Record<string, string>>;
  /** True when sending it twice does no harm. */
  readonly isSafe: boolean;
}

/** What a transport tells its client. */
export interface TransportEvents {
  /** A notification arrived. */
  notify(method: string, params: JsonObject): void;
  /** Something arrived that is ignored. */
  warn(kind: WarningKind, message: string): void;
}

/** Events that nobody hears: those before `start`. */
export const unheard: TransportEvents = Object.freeze({ notify: () => {}, warn: () => {} });

/** Carries requests to one server and brings its responses. Pass one to `connect` for other bindings. */
export interface ClientTransport {
  /**
   * `http`: requests carry headers that mirror the body. `in-process`: values are handed over without
   * becoming text. `stdio`: neither.
   */
  readonly kind: "http" | "stdio" | "in-process";
  /**
   * Called once, before anything else but `close`. Rejects with a `ClientError` when there is no
   * connection. The client waits no longer than `timeoutMs`, then it closes the transport.
   */
  start(events: TransportEvents): Promise<void>;
  /**
   * Sends a request and gives the response with its id. After `cancellation` it tells the server in
   * the way of the binding; the returned promise does not matter any more. Rejects with a
   * `ClientError`.
   */
  send(request: OutgoingRequest, cancellation: Cancellation): Promise<ResponseMessage>;
  /** Releases everything, also while `start` is under way. It has no time limit. */
  close(): Promise<void>;
}
