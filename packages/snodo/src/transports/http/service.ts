import { decodeJson } from "../../jsonrpc/decode.ts";
import { RpcError } from "../../jsonrpc/error.ts";
import { isDeeperThan } from "../../json/value.ts";
import { CancelledError } from "../../core/cancellation.ts";
import type { Auth } from "../../core/context.ts";
import type { Reply } from "../../core/reply.ts";
import { dispatch } from "../../server/dispatch.ts";
import { type Seat, seatOf, type Servable } from "../../server/serving.ts";
import { checkCaller, checkRequest, postOnly } from "./check-request.ts";
import { corsHeaders, preflightHeaders } from "./cors.ts";
import { BodyError, type Exchange, type HttpRefusal } from "./exchange.ts";
import { HttpCall, refuse } from "./http-call.ts";
import { OpenCalls } from "./open-calls.ts";
import { type HttpOptions, type HttpRules, toRules } from "./options.ts";

/** What the application already knows about a request when it hands it over. */
export interface RequestExtras {
  /** Who calls, if the application authenticated the caller. */
  readonly auth?: Auth | undefined;
  /** The body, if a framework has read it already: the parsed JSON value, text or bytes. */
  readonly body?: unknown;
}

/** More bodies than that are not even read, since each may be large. */
const busy: HttpRefusal = Object.freeze({
  status: 503,
  message: "The server is at its limits inFlight and queue; try again later",
  headers: Object.freeze({ "Retry-After": "1" }),
});

/** Serves MCP over HTTP for one server; the listener or framework around it brings the requests. */
export class HttpService {
  readonly #seat: Seat;
  readonly #rules: HttpRules;
  readonly #open = new OpenCalls();

  constructor(servable: Servable, options: HttpOptions) {
    this.#seat = seatOf(servable);
    this.#rules = toRules(options);
  }

  /** Cancels every request that is being answered. */
  cancelAll(reason: Error): void {
    this.#open.cancelAll(reason);
  }

  /** Answers one request. Never throws. */
  serve(exchange: Exchange, extras?: RequestExtras): void {
    if (exchange.method === "OPTIONS") {
      this.#servePreflight(exchange);
      return;
    }
    const refusal = checkRequest(exchange, this.#rules);
    if (refusal !== undefined) {
      refuse(exchange, refusal);
      return;
    }
    const { engine } = this.#seat;
    const { bodyBytes, jsonDepth, inFlight, queue } = engine.limits;
    if (this.#open.calls.size >= inFlight + queue) {
      refuse(exchange, busy);
      return;
    }
    const call = new HttpCall(exchange, extras?.auth, this.#open.now);
    this.#open.calls.add(call);
    if (!this.#open.isTicking) this.#open.start(engine.limits);
    const receive = (body: unknown): void => {
      call.isReading = false;
      call.isQuiet = false;
      try {
        const isText = typeof body === "string";
        const value = isText ? decodeJson(body, jsonDepth) : toValue(body, jsonDepth);
        const reply = dispatch(engine, value, call);
        if (reply instanceof Promise) {
          void this.#finishLater(call, reply);
          return;
        }
        call.finish(reply);
      } catch (error) {
        refuseBody(call, error);
      }
      this.#open.calls.delete(call);
    };
    if (extras?.body === undefined) exchange.readBody(bodyBytes, receive);
    else receive(extras.body);
  }

  async #finishLater(call: HttpCall, reply: Promise<Reply>): Promise<void> {
    call.http.onClose(() => call.abandon(new CancelledError("The client closed the connection")));
    const settled = await reply;
    this.#open.calls.delete(call);
    call.finish(settled);
  }

  #servePreflight(exchange: Exchange): void {
    const isPreflight = exchange.header("access-control-request-method") !== undefined;
    const refusal = checkCaller(exchange, this.#rules) ?? (isPreflight ? undefined : postOnly);
    if (refusal === undefined) exchange.send(204, undefined, preflightHeaders(exchange));
    else refuse(exchange, refusal);
  }
}

/** The JSON value of a body that a framework has read. Throws `RpcError` or {@link BodyError}. */
function toValue(body: unknown, jsonDepth: number): unknown {
  if (body instanceof BodyError) throw body;
  if (body instanceof Uint8Array) return decodeJson(decodeUtf8(body), jsonDepth);
  if (!isDeeperThan(body, jsonDepth)) return body;
  throw RpcError.parseError(
    `The body is nested deeper than ${jsonDepth} levels (limit: jsonDepth)`,
  );
}

/** Strict UTF-8. Throws {@link BodyError}. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new BodyError(400, "The body is not valid UTF-8");
  }
}

function refuseBody(call: HttpCall, error: unknown): void {
  if (!(error instanceof BodyError)) {
    call.finish({ kind: "error", id: undefined, stage: "message", error: RpcError.from(error) });
    return;
  }
  const { status, message } = error;
  const closing = status === 400 ? undefined : { Connection: "close" };
  refuse(call.http, { status, message, headers: { ...corsHeaders(call.http), ...closing } });
}
