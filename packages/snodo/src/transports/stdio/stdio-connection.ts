import { isUtf8 } from "node:buffer";
import { isObject } from "../../json/value.ts";
import { decodeJson } from "../../jsonrpc/decode.ts";
import { RpcError } from "../../jsonrpc/error.ts";
import {
  encodeError,
  encodeNotification,
  isRequestId,
  type RequestId,
} from "../../jsonrpc/message.ts";
import type { Call } from "../../core/call.ts";
import { Cancellation, CancelledError } from "../../core/cancellation.ts";
import { encodeReply, type Reply } from "../../core/reply.ts";
import { dispatch } from "../../server/dispatch.ts";
import { engineOf, type Servable } from "../../server/serving.ts";

/** Answers the lines of one peer; each line handed to `write` is one message without its LF. */
export class StdioConnection {
  readonly #servable: Servable;
  readonly #write: (line: string) => void;
  readonly #inFlight = new Map<RequestId, Cancellation>();
  readonly #onIdle: (() => void)[] = [];
  #running = 0;
  #hasHintedAtFraming = false;

  constructor(servable: Servable, write: (line: string) => void) {
    this.#servable = servable;
    this.#write = write;
  }

  /** Takes one line; blank lines mean nothing. */
  receive(line: Buffer): void {
    if (!isUtf8(line)) {
      this.#write(encodeError(undefined, RpcError.parseError("The line is not valid UTF-8")));
      return;
    }
    const text = line.toString();
    if (text.trim() === "") return;
    const engine = engineOf(this.#servable);
    let value: unknown;
    try {
      value = decodeJson(text, engine.limits.jsonDepth);
    } catch (error) {
      this.#hintAtFraming(text);
      this.#write(encodeError(undefined, RpcError.from(error)));
      return;
    }
    void this.#answer(value);
  }

  /** Refuses a line that was longer than the limit. */
  refuseLongLine(maxBytes: number): void {
    const message = `The line is longer than ${maxBytes} bytes (limit: lineBytes)`;
    this.#write(encodeError(undefined, RpcError.invalidRequest(message)));
  }

  /** Resolves when every request that has been received is answered or cancelled. */
  async idle(): Promise<void> {
    if (this.#running === 0) return;
    await new Promise<void>((resolve) => {
      this.#onIdle.push(resolve);
    });
  }

  /** Cancels everything in flight; nothing more is sent for it. */
  cancelAll(reason: Error): void {
    for (const cancellation of this.#inFlight.values()) cancellation.cancel(reason);
  }

  async #answer(value: unknown): Promise<void> {
    const id = isObject(value) && typeof value.method === "string" ? value.id : undefined;
    const isRequest = isRequestId(id);
    if (isRequest && this.#inFlight.has(id)) {
      const error = RpcError.invalidRequest("A request with this id is still in flight");
      this.#write(encodeError(id, error));
      return;
    }
    const cancellation = new Cancellation();
    if (isRequest) this.#inFlight.set(id, cancellation);
    this.#running += 1;
    this.#send(await dispatch(engineOf(this.#servable), value, this.#call(cancellation)));
    this.#running -= 1;
    if (isRequest) this.#inFlight.delete(id);
    if (this.#running === 0) for (const resolve of this.#onIdle.splice(0)) resolve();
  }

  #call(cancellation: Cancellation): Call {
    return {
      transport: "stdio",
      cancellation,
      auth: undefined,
      http: undefined,
      notify: (method, params) => {
        if (cancellation.reason === undefined) this.#write(encodeNotification(method, params));
      },
      cancelRequest: (id, reason) => {
        const suffix = reason === undefined ? "" : `: ${reason}`;
        this.#inFlight
          .get(id)
          ?.cancel(new CancelledError(`The client cancelled the request${suffix}`));
      },
    };
  }

  #send(reply: Reply): void {
    if (reply.kind !== "none") this.#write(encodeReply(reply));
  }

  #hintAtFraming(text: string): void {
    if (this.#hasHintedAtFraming || !/^content-length:/i.test(text)) return;
    this.#hasHintedAtFraming = true;
    console.error(
      "snodo: the peer uses Content-Length framing; MCP over stdio is one JSON message per line",
    );
  }
}
