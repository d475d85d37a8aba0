import type { JsonObject } from "../json/value.ts";
import type { RequestId } from "../jsonrpc/message.ts";
import type { ClientCapabilities, Implementation } from "./implementation.ts";

/** Who calls, as the transport or the application established it. */
export interface Auth {
  /** Stable id of the principal, for example the token's `sub`. */
  readonly subject: string;
  readonly scopes?: readonly string[];
  /** Whatever else is known, for example verified token claims. */
  readonly claims?: JsonObject;
}

/** HTTP headers by name, ignoring case. */
export interface HeaderReader {
  /** The value, several joined with `, `; `undefined` when absent. */
  get(name: string): string | undefined;
}

/** What every handler and middleware gets about the request it serves. One per request, never shared. */
export interface Context<State = unknown> {
  /**
   * Aborted when the caller cancels or disconnects, when the time limit passes or the server shuts
   * down. Pass it on to `fetch` and friends.
   */
  readonly signal: AbortSignal;
  readonly request: {
    readonly id: RequestId;
    readonly method: string;
    readonly protocolVersion: string;
    /** The parameters as they came, `_meta` included. Untrusted. */
    readonly params: JsonObject;
  };
  readonly client: {
    /** As the client calls itself; for display only. */
    readonly info: Implementation | undefined;
    readonly capabilities: ClientCapabilities;
    /** True when this request declares the capability, for example `"elicitation.url"`. */
    supports(capability: string): boolean;
  };
  /** `undefined` for callers that nothing authenticated. */
  readonly auth: Auth | undefined;
  /** `undefined` on stdio and in process. */
  readonly http: { readonly headers: HeaderReader; readonly url: string } | undefined;
  /** What middleware supplied with `next(state)`. */
  readonly state: State;
  /** W3C trace context that came in `_meta`. */
  readonly trace: {
    readonly traceparent?: string;
    readonly tracestate?: string;
    readonly baggage?: string;
  };
  /**
   * Tells the caller how far the work is; does nothing unless the caller asked for it. `done` must
   * grow with each call. At most 1,000 updates and 4 KiB of message are sent, the rest is dropped and
   * counted. spec: PRG-2
   */
  progress(done: number, total?: number, message?: string): void;
}

/** Runs the rest of the request and gives its result. `state` is merged over `ctx.state`. */
export type Next<State = unknown> = (state?: Partial<State>) => Promise<unknown>;

/**
 * Code around a request: call `next()` once to go on, or return or throw instead. On a server it wraps
 * every method, on a tool its handler. The value of `next()` is the operation's result.
 */
export type Middleware<State = unknown> = (ctx: Context<State>, next: Next<State>) => unknown;

/** Middleware of any state, so that different ones can stand in one list. */
export type AnyMiddleware = (ctx: Context<never>, next: Next<object>) => unknown;
