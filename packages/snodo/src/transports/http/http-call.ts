import type { JsonObject } from "../../json/value.ts";
import { RpcError } from "../../jsonrpc/error.ts";
import { encodeError, encodeNotification } from "../../jsonrpc/message.ts";
import type { Call } from "../../core/call.ts";
import { Cancellation } from "../../core/cancellation.ts";
import type { Auth } from "../../core/context.ts";
import { encodeReply, type Reply } from "../../core/reply.ts";
import { type AcceptedTypes, acceptedTypes, anyType, usualAccept } from "./accept.ts";
import { corsHeaders } from "./cors.ts";
import type { EventStream, Exchange, HttpRefusal, ResponseHeaders } from "./exchange.ts";
import { headersOf, statusOf } from "./status.ts";

const streamHeaders: ResponseHeaders = Object.freeze({
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-store",
  "X-Accel-Buffering": "no",
});

/**
 * One request and its answer: one JSON object, unless something has to be sent before the result or
 * the client takes events only; then a stream of events whose last one is the result.
 */
export class HttpCall implements Call {
  readonly transport = "http";
  readonly cancellation: Cancellation;
  readonly auth: Auth | undefined;
  readonly http: Exchange;
  /** False when something was sent since the clock last ticked. */
  isQuiet: boolean;
  /** The tick since which nothing was heard or sent. */
  quietSince: number;
  /** True until the body has arrived. */
  isReading: boolean;
  readonly #accepts: AcceptedTypes;
  #stream: EventStream | undefined;
  #isClosed: boolean;

  constructor(exchange: Exchange, auth: Auth | undefined, now: number) {
    this.cancellation = new Cancellation();
    this.auth = auth;
    this.http = exchange;
    this.isQuiet = true;
    this.quietSince = now;
    this.isReading = true;
    const accept = exchange.header("accept");
    this.#accepts = accept === usualAccept ? anyType : acceptedTypes(accept);
    this.#stream = undefined;
    this.#isClosed = false;
  }

  /** Sends a notification if the client takes events. */
  notify(method: string, params: JsonObject): void {
    this.#write(`data: ${encodeNotification(method, params)}\n\n`);
  }

  /** Sends a comment, so that nothing on the way takes the connection for dead. */
  keepAlive(): void {
    this.#write(":\n\n");
  }

  /** The client has gone: nothing can be sent any more. */
  abandon(reason: Error): void {
    this.#isClosed = true;
    this.cancellation.cancel(reason);
  }

  /** Sends the reply and ends the answer. */
  finish(reply: Reply): void {
    if (this.#isClosed) return;
    if (reply.kind === "none") {
      this.#finishWithout(reply.isRefused);
      return;
    }
    const isResult = reply.kind === "result";
    const body = encodeReply(reply);
    const status = isResult ? 200 : statusOf(reply);
    if (this.#stream !== undefined || (status === 200 && !this.#accepts.json)) {
      this.#write(`data: ${body}\n\n`);
      this.#stream?.end();
    } else {
      const isPlain = isResult && this.http.header("origin") === undefined;
      this.http.send(status, body, isPlain ? undefined : this.#explain(reply));
    }
    this.#isClosed = true;
  }

  #explain(reply: Reply): ResponseHeaders {
    const explaining = reply.kind === "error" ? headersOf(reply) : undefined;
    return { ...corsHeaders(this.http), ...explaining };
  }

  #finishWithout(isRefused: boolean): void {
    this.#isClosed = true;
    const headers = corsHeaders(this.http);
    const message = "Expected a request or a valid notification";
    this.#stream?.end();
    if (isRefused) refuse(this.http, { status: 400, message, headers });
    else this.http.send(202, undefined, headers);
  }

  #write(text: string): void {
    if (this.#isClosed || !this.#accepts.events) return;
    this.#stream ??= this.http.openStream({ ...streamHeaders, ...corsHeaders(this.http) });
    this.#stream.write(text);
    this.isQuiet = false;
  }
}

/** Sends the status, and the message as a JSON-RPC error without an id. */
export function refuse(exchange: Exchange, { status, message, headers }: HttpRefusal): void {
  const error = status < 500 ? RpcError.invalidRequest(message) : RpcError.internal(message);
  exchange.send(status, encodeError(undefined, error), headers);
}
