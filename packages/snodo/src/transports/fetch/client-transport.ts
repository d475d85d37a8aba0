import type { ResponseMessage } from "../../jsonrpc/message.ts";
import type { Cancellation } from "../../core/cancellation.ts";
import { ClientError } from "../../client/client-error.ts";
import { encodeRequest } from "../../client/compose-request.ts";
import {
  type ClientTransport,
  type OutgoingRequest,
  type TransportEvents,
  unheard,
} from "../../client/transport.ts";
import { ClientAnswer } from "./client-answer.ts";
import { brokenAnswer, connectFailure } from "./client-failure.ts";

/** What the HTTP transports need. */
export interface HttpClientOptions {
  readonly url: URL;
  /** Of every request, checked. */
  readonly headers: Readonly<Record<string, string>>;
  readonly maxResponseBytes: number;
}

/** Streamable HTTP over `fetch`, for every runtime. Redirects are not followed. */
export class FetchTransport implements ClientTransport {
  readonly kind = "http";
  readonly #options: HttpClientOptions;
  readonly #fetch: typeof fetch;
  #events: TransportEvents = unheard;

  constructor(options: HttpClientOptions, fetch: typeof globalThis.fetch) {
    this.#options = options;
    // A method call would give `fetch` a `this` that browsers refuse.
    this.#fetch = (input, init) => fetch(input, init);
  }

  async start(events: TransportEvents): Promise<void> {
    this.#events = events;
  }

  async send(request: OutgoingRequest, cancellation: Cancellation): Promise<ResponseMessage> {
    const { url, headers, maxResponseBytes } = this.#options;
    const response = await this.#post(url, {
      method: "POST",
      headers: { ...headers, ...request.headers },
      body: encodeRequest(request),
      redirect: "manual",
      signal: cancellation.signal,
    });
    const head = {
      // Browsers hide what a redirect says.
      status: response.type === "opaqueredirect" ? 302 : response.status,
      contentType: response.headers.get("content-type") ?? undefined,
      location: response.headers.get("location") ?? undefined,
    };
    const context = { id: request.id, maxBytes: maxResponseBytes, events: this.#events };
    return readBody(response, new ClientAnswer(head, context));
  }

  async close(): Promise<void> {}

  async #post(url: URL, init: RequestInit): Promise<Response> {
    try {
      return await this.#fetch(url, init);
    } catch (error) {
      throw connectFailure(url, error, "unknown");
    }
  }
}

async function readBody(response: Response, answer: ClientAnswer): Promise<ResponseMessage> {
  const reader = response.body?.getReader();
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done) return answer.end();
      const message = answer.push(value);
      if (message !== undefined) return message;
    }
  } catch (error) {
    if (error instanceof ClientError) throw error;
    throw brokenAnswer(error);
  } finally {
    // Also ends a stream of events that the server leaves open.
    reader?.cancel().catch(() => {});
  }
}
