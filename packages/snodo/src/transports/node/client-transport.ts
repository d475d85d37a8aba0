import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import { urlToHttpOptions } from "node:url";
import type { ResponseMessage } from "../../jsonrpc/message.ts";
import type { Cancellation } from "../../core/cancellation.ts";
import { encodeRequest } from "../../client/compose-request.ts";
import {
  type ClientTransport,
  type OutgoingRequest,
  type TransportEvents,
  unheard,
} from "../../client/transport.ts";
import { ClientAnswer } from "../fetch/client-answer.ts";
import { brokenAnswer, connectFailure } from "../fetch/client-failure.ts";
import type { HttpClientOptions } from "../fetch/client-transport.ts";

/** Connections to one server at the same time; further requests wait for one. */
const maxSockets = 64;

/** Shorter than the 5 s after which servers on Node close an idle connection. */
const idleSocketMs = 4_000;

/** How long a server may leave the stream open after the response, so that the socket is used again. */
const trailerMs = 1_000;

/**
 * Streamable HTTP over Node's `http`, a quarter of the work of `fetch`. Connections are kept and used
 * again; idle ones do not keep the process alive. Redirects are not followed.
 */
export class NodeHttpTransport implements ClientTransport {
  readonly kind = "http";
  readonly #options: HttpClientOptions;
  readonly #agent: HttpAgent;
  readonly #request: typeof httpRequest;
  readonly #connectEvent: "connect" | "secureConnect";
  readonly #target: ReturnType<typeof urlToHttpOptions>;
  readonly #connected = new WeakSet<Socket>();
  #events: TransportEvents = unheard;

  constructor(options: HttpClientOptions) {
    this.#options = options;
    const isSecure = options.url.protocol === "https:";
    const agent = { keepAlive: true, maxSockets, timeout: idleSocketMs };
    this.#agent = isSecure ? new HttpsAgent(agent) : new HttpAgent(agent);
    this.#request = isSecure ? httpsRequest : httpRequest;
    this.#connectEvent = isSecure ? "secureConnect" : "connect";
    this.#target = urlToHttpOptions(options.url);
  }

  async start(events: TransportEvents): Promise<void> {
    this.#events = events;
  }

  send(request: OutgoingRequest, cancellation: Cancellation): Promise<ResponseMessage> {
    return this.#post(request, cancellation, request.isSafe);
  }

  async close(): Promise<void> {
    this.#agent.destroy();
  }

  #post(
    request: OutgoingRequest,
    cancellation: Cancellation,
    mayRepeat: boolean,
  ): Promise<ResponseMessage> {
    return new Promise((resolve, reject) => {
      let isKept = false;
      let isConnected = false;
      let isAnswered = false;
      const outgoing = this.#request({
        ...this.#target,
        method: "POST",
        headers: { ...this.#options.headers, ...request.headers },
        agent: this.#agent,
      });
      const forget = cancellation.onCancel((reason) => {
        outgoing.destroy();
        reject(reason);
      });
      outgoing.on("socket", (socket) => {
        // `reusedSocket` does not count requests that waited for a socket.
        isKept = this.#connected.has(socket);
        isConnected = isKept;
        if (isKept) return;
        socket.once(this.#connectEvent, () => {
          isConnected = true;
          this.#connected.add(socket);
        });
      });
      outgoing.on("response", (incoming) => {
        isAnswered = true;
        void this.#read(incoming, request).then(resolve, reject).then(forget);
      });
      outgoing.on("error", (error) => {
        if (isAnswered || cancellation.reason !== undefined) return;
        forget();
        // The server closed a kept connection just when it was used again.
        if (mayRepeat && isKept) resolve(this.#post(request, cancellation, false));
        else if (isConnected) reject(brokenAnswer(error));
        else reject(connectFailure(this.#options.url, error, "none"));
      });
      outgoing.end(encodeRequest(request));
    });
  }

  #read(incoming: IncomingMessage, { id }: OutgoingRequest): Promise<ResponseMessage> {
    const answer = new ClientAnswer(
      {
        status: incoming.statusCode ?? 0,
        contentType: incoming.headers["content-type"],
        location: incoming.headers.location,
      },
      { id, maxBytes: this.#options.maxResponseBytes, events: this.#events },
    );
    return new Promise((resolve, reject) => {
      let isSettled = false;
      const settle = (step: () => ResponseMessage | undefined): void => {
        if (isSettled) return;
        try {
          const response = step();
          if (response === undefined) return;
          isSettled = true;
          closeLater(incoming);
          resolve(response);
        } catch (error) {
          isSettled = true;
          incoming.destroy();
          reject(error);
        }
      };
      incoming.on("data", (chunk: Buffer) => settle(() => answer.push(chunk)));
      incoming.on("end", () => settle(() => answer.end()));
      incoming.on("error", (error) => reject(brokenAnswer(error)));
    });
  }
}

/** Lets the rest of an answer arrive, for a while, so that its socket can be used again. */
function closeLater(incoming: IncomingMessage): void {
  if (incoming.readableEnded) return;
  const timer = setTimeout(() => incoming.destroy(), trailerMs);
  timer.unref();
  incoming.once("close", () => clearTimeout(timer));
}
