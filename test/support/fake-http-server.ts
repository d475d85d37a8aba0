import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** One request that a client sent. */
export interface Received {
  /** By lower-case name. */
  readonly headers: IncomingMessage["headers"];
  /** Names and values in turn, as on the wire. */
  readonly rawHeaders: readonly string[];
  readonly message: ReceivedMessage;
}

/** The JSON-RPC message of a request. */
export interface ReceivedMessage {
  readonly id: number;
  readonly method: string;
  readonly params: {
    readonly name?: string;
    readonly arguments?: Readonly<Record<string, unknown>>;
    readonly cursor?: string;
    readonly _meta: Readonly<Record<string, unknown>>;
  };
}

/** Answers one request; `received` has it too, as the last one. */
export type Script = (message: ReceivedMessage, response: ServerResponse) => void;

/** An HTTP server that does what a script says. */
export interface FakeHttpServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Everything received so far. */
  readonly received: readonly Received[];
  /** The received requests of one method. */
  of(method: string): readonly Received[];
  /** How many connections were made. */
  readonly connections: number;
  /** Resolves when the connection of the next request that is cut off has closed. */
  closedEarly(): Promise<void>;
}

/** Starts a server that answers each method by its script, and `server/discover` unless it has one. */
export async function fakeHttpServer(
  scripts: Readonly<Record<string, Script>>,
  port: number = 0,
): Promise<FakeHttpServer> {
  const received: Received[] = [];
  let connections = 0;
  let onCut: () => void = () => {};
  const server = createServer((request, response) => {
    response.once("close", () => {
      if (!response.writableFinished) onCut();
    });
    void text(request).then((body) => {
      const message = JSON.parse(body) as ReceivedMessage;
      const { headers, rawHeaders } = request;
      received.push({ headers, rawHeaders, message });
      const script = scripts[message.method] ?? defaultScripts[message.method];
      if (script === undefined) response.writeHead(404).end();
      else script(message, response);
    });
  });
  server.on("connection", () => (connections += 1));
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}/mcp`,
    port: address.port,
    received,
    of: (method) => received.filter(({ message }) => message.method === method),
    get connections() {
      return connections;
    },
    closedEarly: () =>
      new Promise((resolve) => {
        onCut = resolve;
      }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const defaultScripts: Readonly<Record<string, Script>> = {
  "server/discover": ({ id }, response) => {
    sendResult(response, id, { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } });
  },
};

/** Sends a complete result as JSON. */
export function sendResult(response: ServerResponse, id: number, result: object): void {
  sendText(response, JSON.stringify(resultOf(id, result)));
}

/** Sends an error as JSON. */
export function sendError(
  response: ServerResponse,
  id: number,
  { status, code }: { readonly status: number; readonly code: number },
): void {
  const body = { jsonrpc: "2.0", id, error: { code, message: "refused by the script" } };
  sendText(response, JSON.stringify(body), status);
}

/** Sends a text as JSON, whatever it is. */
export function sendText(response: ServerResponse, body: string, status: number = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(body);
}

/** Opens a stream of events. */
export function openEvents(response: ServerResponse): (message: object) => void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  return (message) => response.write(`data: ${JSON.stringify(message)}\n\n`);
}

/** A response message with a complete result. */
export function resultOf(id: number, result: object): object {
  return { jsonrpc: "2.0", id, result: { resultType: "complete", ...result } };
}

/** A script that lists these tools on one page. */
export function listing(...tools: readonly object[]): Script {
  return ({ id }, response) => sendResult(response, id, { tools });
}

/** A script that answers a tool call with this result. */
export function calling(result: object): Script {
  return ({ id }, response) => sendResult(response, id, result);
}

/** The result of a tool that says `ok`. */
export const ok: object = { content: [{ type: "text", text: "ok" }] };
