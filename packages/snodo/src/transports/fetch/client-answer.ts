import { createParser } from "eventsource-parser";
import type { Message, RequestId, ResponseMessage } from "../../jsonrpc/message.ts";
import { ClientError } from "../../client/client-error.ts";
import { decodeMessage } from "../../client/decode-message.ts";
import { breach } from "../../client/decode-result.ts";
import { peerText } from "../../client/peer-text.ts";
import type { TransportEvents } from "../../client/transport.ts";

/** What is known of an HTTP answer before its body. */
export interface AnswerHead {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly location: string | undefined;
}

interface AnswerContext {
  readonly id: RequestId;
  readonly maxBytes: number;
  readonly events: TransportEvents;
}

/**
 * Reads one HTTP answer, piece by piece: one JSON message, or events up to the response. spec: HTTP-8,
 * HTTP-19a
 */
export class ClientAnswer {
  readonly #head: AnswerHead;
  readonly #context: AnswerContext;
  readonly #kind: "json" | "events" | "other";
  readonly #chunks: Uint8Array[] = [];
  readonly #feed: ((chunk: Uint8Array) => void) | undefined;
  #size = 0;
  #response: ResponseMessage | undefined;

  constructor(head: AnswerHead, context: AnswerContext) {
    this.#head = head;
    this.#context = context;
    this.#kind = kindOf(head.contentType);
    if (this.#kind === "events") {
      this.#feed = eventFeed((event, data) => this.#readEvent(event, data));
    }
  }

  /**
   * Takes the next bytes; gives the response as soon as it is there. Throws `ClientError` for what is
   * too large or not UTF-8.
   */
  push(chunk: Uint8Array): ResponseMessage | undefined {
    const { maxBytes } = this.#context;
    this.#size += chunk.length;
    if (this.#size > maxBytes) {
      const message = `The answer is larger than ${maxBytes} bytes (option maxResponseBytes)`;
      throw new ClientError("too-large", message, { outcome: "unknown" });
    }
    if (this.#feed === undefined) this.#chunks.push(chunk);
    else this.#feed(chunk);
    return this.#response;
  }

  /** The body has ended: gives the response. Throws `ClientError` when there is none. */
  end(): ResponseMessage {
    const body = concat(this.#chunks, this.#size);
    const response = this.#kind === "json" ? this.#readJson(body) : this.#response;
    if (response !== undefined) return response;
    const { status, contentType } = this.#head;
    if (status < 200 || status > 299) throw refusal(this.#head, new TextDecoder().decode(body));
    switch (this.#kind) {
      case "json":
        throw breach("The answer is not the JSON-RPC response to the request");
      case "events": {
        const message = "The stream of events ended without the response";
        throw new ClientError("closed", message, { outcome: "unknown" });
      }
      case "other": {
        const type = peerText(contentType ?? "none");
        throw breach(
          `Expected JSON or events, got status ${status} with the content type "${type}"`,
        );
      }
    }
  }

  #readJson(body: Uint8Array): ResponseMessage | undefined {
    const message = decodeMessage(body);
    return message !== undefined && this.#isResponse(message) ? message : undefined;
  }

  #readEvent(event: string | undefined, data: string): void {
    if (this.#response !== undefined || data === "" || (event ?? "message") !== "message") return;
    const { events } = this.#context;
    const message = decodeMessage(data);
    if (message === undefined || message.kind === "invalid") {
      events.warn("unreadable-message", "An event of the server is not a JSON-RPC message");
    } else if (message.kind === "notification") {
      events.notify(message.method, message.params);
    } else if (this.#isResponse(message)) {
      this.#response = message;
    } else {
      events.warn("unexpected-message", "An event of the server answers another request");
    }
  }

  /** An error may lack the id, when the server could not read it. spec: BASE-7 */
  #isResponse(message: Message): message is ResponseMessage {
    if (message.kind !== "response") return false;
    return (
      message.id === this.#context.id || (message.id === undefined && message.error !== undefined)
    );
  }
}

function eventFeed(
  onEvent: (event: string | undefined, data: string) => void,
): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const parser = createParser({ onEvent: ({ event, data }) => onEvent(event, data) });
  const decode = (chunk: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: true });
    } catch {
      throw breach("The stream of events is not UTF-8");
    }
  };
  return (chunk) => parser.feed(decode(chunk));
}

function concat(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return only;
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
}

function kindOf(contentType: string | undefined): "json" | "events" | "other" {
  const type = contentType?.split(";", 1)[0]?.trim().toLowerCase();
  if (type === "application/json") return "json";
  return type === "text/event-stream" ? "events" : "other";
}

function refusal({ status, location }: AnswerHead, text: string): ClientError {
  if (status >= 300 && status < 400) {
    const target =
      location !== undefined && URL.canParse(location)
        ? peerText(new URL(location).host)
        : "elsewhere";
    const message = `The server redirects to ${target} (status ${status}); redirects are not followed, use that URL if you trust it`;
    return new ClientError("http-status", message, { outcome: "none", status });
  }
  const excerpt = peerText(text.trim());
  const message = `The server answered with status ${status}${excerpt === "" ? "" : `: ${excerpt}`}`;
  return new ClientError("http-status", message, {
    outcome: status < 500 ? "none" : "unknown",
    status,
  });
}
