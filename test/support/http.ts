import { type Agent, type IncomingHttpHeaders, request as httpRequest } from "node:http";
import { createParser } from "eventsource-parser";
import type { ModernRequest } from "./modern.ts";
import { assertWire, type ServerMessage } from "./wire.ts";

/** Header lines in order; names may repeat. */
export type HeaderLines = readonly (readonly [name: string, value: string])[];

/** One HTTP request as it goes over the socket; only `Host` and `Content-Length` are added. */
export interface HttpRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers: HeaderLines;
  readonly body?: string | Uint8Array;
  readonly agent?: Agent;
  readonly signal?: AbortSignal;
  /** Gets each message as it arrives. */
  readonly onMessage?: (message: ServerMessage) => void;
}

/** One HTTP answer. */
export interface HttpReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The JSON body, or the data of each event. */
  readonly messages: readonly ServerMessage[];
  /** The last message: the response, where there is one. */
  readonly message: ServerMessage | undefined;
}

/** Sends one request over a socket and reads the answer to its end. */
export async function exchange(port: number, options: HttpRequest): Promise<HttpReply> {
  const { method = "POST", path = "/mcp", headers, body, agent, signal } = options;
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  const lines = [
    ...(names.has("host") ? [] : [["Host", `127.0.0.1:${port}`] as const]),
    ...headers,
    ...(body === undefined || names.has("content-length")
      ? []
      : [["Content-Length", String(Buffer.byteLength(body))] as const]),
  ];
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      host: "127.0.0.1",
      port,
      method,
      path,
      headers: lines.flat(),
      agent: agent ?? false,
      ...(signal === undefined ? {} : { signal }),
    });
    request.once("error", reject).once("response", (response) => {
      const reader = new AnswerReader(response.headers["content-type"], options.onMessage);
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => reader.push(chunk)).once("error", reject);
      response.once("end", () => {
        try {
          const messages = reader.end();
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: reader.text,
            messages,
            message: messages.at(-1),
          });
        } catch (error) {
          reject(error);
        }
      });
    });
    request.setTimeout(15_000, () => request.destroy(new Error("no answer within 15 s")));
    request.end(body);
  });
}

/** Collects a body and the messages in it. Throws for messages that a server may not send. */
export class AnswerReader {
  text = "";
  readonly #isStream: boolean;
  readonly #isJson: boolean;
  readonly #messages: ServerMessage[] = [];
  readonly #parser = createParser({ onEvent: ({ data }) => this.#take(data) });
  readonly #onMessage: ((message: ServerMessage) => void) | undefined;
  #failure: unknown;

  constructor(contentType: string | undefined, onMessage?: (message: ServerMessage) => void) {
    this.#isStream = contentType === "text/event-stream";
    this.#isJson = contentType === "application/json";
    this.#onMessage = onMessage;
  }

  push(chunk: string): void {
    this.text += chunk;
    if (this.#isStream) this.#parser.feed(chunk);
  }

  end(): readonly ServerMessage[] {
    if (this.#isJson && this.text !== "") this.#take(this.text);
    if (this.#failure !== undefined) throw this.#failure;
    return this.#messages;
  }

  #take(data: string): void {
    try {
      const message: unknown = JSON.parse(data);
      assertWire(message);
      this.#messages.push(message);
      this.#onMessage?.(message);
    } catch (error) {
      this.#failure ??= error;
    }
  }
}

/** What every request of a lawful client carries beside the mirrored names. */
export const commonHeaders: HeaderLines = [
  ["Content-Type", "application/json"],
  ["Accept", "application/json, text/event-stream"],
  ["MCP-Protocol-Version", "2026-07-28"],
];

/** The header lines that belong to a message. */
export function headersOf({ method, params }: Partial<ModernRequest>): HeaderLines {
  return [
    ...commonHeaders,
    ...(typeof method === "string" ? [["Mcp-Method", method] as const] : []),
    ...(method === "tools/call" && typeof params?.["name"] === "string"
      ? [["Mcp-Name", params["name"]] as const]
      : []),
  ];
}

/** Posts a message with the headers that belong to it, then `headers` in their place. */
export function postMessage(
  port: number,
  message: Partial<ModernRequest>,
  options: Partial<HttpRequest> = {},
): Promise<HttpReply> {
  return exchange(port, {
    ...options,
    headers: replaceHeaders(headersOf(message), options.headers ?? []),
    body: JSON.stringify(message),
  });
}

/** The lines of `base`, without those that `changes` names, and `changes`. */
export function replaceHeaders(base: HeaderLines, changes: HeaderLines): HeaderLines {
  const names = new Set(changes.map(([name]) => name.toLowerCase()));
  return [...base.filter(([name]) => !names.has(name.toLowerCase())), ...changes];
}
