import { once } from "node:events";
import { isDeepStrictEqual } from "node:util";
import type { JsonObject, ServerOptions } from "snodo";
import { connect, type Progress, RpcError } from "snodo/client";
import { toFetch } from "snodo/http";
import { createFixture } from "./fixture.mjs";
import { AnswerReader, exchange, type HeaderLines, headersOf } from "./http.ts";
import { type ModernRequest, modernRequest } from "./modern.ts";
import { openPipe, type Pipe } from "./pipe.ts";
import { serveFixture } from "./serve.ts";
import { ServerProcess } from "./server-process.ts";
import { assertWire, type ServerMessage } from "./wire.ts";

/** What came back for one message. */
export interface Reply {
  /** The response; undefined when the server sent none. */
  readonly message: ServerMessage | undefined;
  /** Over HTTP the status. */
  readonly status?: number;
  /** Over HTTP the headers, by lower-case name. */
  readonly headers?: Readonly<Record<string, unknown>>;
}

/** How a message is sent; of no effect where the transport has no such thing. */
export interface SendOptions {
  /** Header lines in place of those that the message calls for; the value undefined leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Gives up, in the way of the transport. The reply then has no message. */
  readonly signal?: AbortSignal;
}

/** A client of the fixture on some transport, with as little between it and the wire as possible. */
export interface Peer extends AsyncDisposable {
  /** Sends one message and waits for what the server has to say to it. */
  send(message: object, options?: SendOptions): Promise<Reply>;
  /** The same with the very bytes. */
  sendRaw(data: string | Uint8Array): Promise<Reply>;
  /** The notifications since the last time this was called. */
  takeNotifications(): readonly ServerMessage[];
}

/** The fixture's options that can be passed to every transport. */
export type FixtureOptions = Pick<ServerOptions, "pageSize" | "cache" | "limits">;

/** Every way to reach a server. */
export const transports = {
  stdio: async (options: FixtureOptions) => stdioPeer(new ServerProcess(options)),
  "node http": openNode,
  fetch: openFetch,
  "in process": openInProcess,
} as const satisfies Readonly<Record<string, (options: FixtureOptions) => Promise<Peer>>>;

export type TransportName = keyof typeof transports;

/** The same in the process of the test, so that tools and observers can be those of the test. */
export const localTransports = {
  ...transports,
  stdio: async (options) => stdioPeer(await openPipe(options)),
} as const satisfies Readonly<
  Record<TransportName, (options: Partial<ServerOptions>) => Promise<Peer>>
>;

/** The names of {@link transports}. */
export const transportNames = Object.keys(transports) as readonly TransportName[];

function stdioPeer(server: ServerProcess | Pipe): Peer {
  let seen = 0;
  let barriers = 0;
  /** The response with this id, or an error without one, whichever comes first. */
  const send = async (data: string | Uint8Array | object, id: unknown): Promise<Reply> => {
    const from = server.messages.length;
    const answers = (): readonly ServerMessage[] =>
      server.messages.slice(from).filter(({ method }) => method === undefined);
    server.write(data);
    if (typeof id === "string" || typeof id === "number") {
      const isMine = (answer: ServerMessage): boolean =>
        answer.id === id || answer.id === undefined;
      return { message: await server.until(() => answers().find(isMine)) };
    }
    // Nothing to wait for: what comes before the answer to the next request is all there is.
    const barrier = `barrier ${(barriers += 1)}`;
    server.write(modernRequest("server/discover", {}, barrier));
    await server.response(barrier);
    return { message: answers().find((answer) => answer.id === undefined) };
  };
  return {
    send: async (message, { signal } = {}) => {
      const { id } = message as { readonly id?: unknown };
      if (signal === undefined) return send(message, id);
      server.write(message);
      if (!signal.aborted) await once(signal, "abort");
      const params = { requestId: id };
      return send({ jsonrpc: "2.0", method: "notifications/cancelled", params }, undefined);
    },
    sendRaw: (data) => {
      const bytes = Buffer.concat([Buffer.from(data), Buffer.from("\n")]);
      return send(bytes, (readMessage(data) as { readonly id?: unknown }).id);
    },
    takeNotifications: () => {
      const fresh = server.messages.slice(seen);
      seen = server.messages.length;
      return fresh.filter(({ method }) => method !== undefined);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function openNode(options: Partial<ServerOptions>): Promise<Peer> {
  const server = await serveFixture(options);
  const notifications: ServerMessage[] = [];
  return httpPeer({
    notifications,
    post: (headers, body, signal) =>
      exchange(server.port, {
        headers,
        body,
        ...(signal === undefined ? {} : { signal }),
        onMessage: (message) => message.method !== undefined && notifications.push(message),
      }),
    close: () => server.close(),
  });
}

async function openFetch(options: Partial<ServerOptions>): Promise<Peer> {
  const handler = toFetch(createFixture({ onError: () => {}, ...options }));
  const notifications: ServerMessage[] = [];
  return httpPeer({
    notifications,
    post: async (headers, body, signal) => {
      const response = await handler(
        new Request("http://localhost/mcp", {
          method: "POST",
          headers: headers.map(([name, value]): [string, string] => [name, value]),
          body: body as BodyInit,
          ...(signal === undefined ? {} : { signal }),
        }),
      );
      const reader = new AnswerReader(response.headers.get("content-type") ?? undefined);
      reader.push(await response.text());
      const messages = reader.end();
      notifications.push(...messages.filter(({ method }) => method !== undefined));
      return {
        message: messages.at(-1),
        status: response.status,
        headers: Object.fromEntries(response.headers),
      };
    },
    close: async () => {},
  });
}

interface HttpWay {
  readonly notifications: ServerMessage[];
  post(
    headers: HeaderLines,
    body: string | Uint8Array,
    signal: AbortSignal | undefined,
  ): Promise<Reply>;
  close(): Promise<void>;
}

function httpPeer({ notifications, post, close }: HttpWay): Peer {
  return {
    takeNotifications: () => notifications.splice(0),
    send: async (message, { headers = {}, signal } = {}) => {
      const changes = Object.entries(headers);
      const kept = changes.filter((line): line is [string, string] => line[1] !== undefined);
      const removed = new Set(changes.map(([name]) => name.toLowerCase()));
      const base = headersOf(message).filter(([name]) => !removed.has(name.toLowerCase()));
      try {
        return await post([...base, ...kept], JSON.stringify(message), signal);
      } catch (error) {
        if (signal?.aborted === true) return { message: undefined };
        throw error;
      }
    },
    sendRaw: (data) => post(headersOf(readMessage(data)), data, undefined),
    [Symbol.asyncDispose]: close,
  };
}

/** Our own client, which puts ids and progress tokens of its own in the place of the caller's. */
async function openInProcess(options: Partial<ServerOptions>): Promise<Peer> {
  const client = await connect(createFixture({ onError: () => {}, ...options }), {
    info: { name: "probe", version: "1" },
  });
  const notifications: object[] = [];
  return {
    send: async (message, { signal } = {}) => {
      assertComposable(message);
      const { id, method, params } = message;
      const { progressToken } = params["_meta"] as { readonly progressToken?: unknown };
      const onProgress = (update: Progress): void => {
        const updated = { progressToken, ...update };
        notifications.push({ jsonrpc: "2.0", method: "notifications/progress", params: updated });
      };
      try {
        const result = await client.request(method, params as JsonObject, {
          ...(signal === undefined ? {} : { signal }),
          ...(progressToken === undefined ? {} : { onProgress }),
        });
        return { message: lawful({ jsonrpc: "2.0", id, result }) };
      } catch (error) {
        if (signal?.aborted === true) return { message: undefined };
        if (!(error instanceof RpcError)) throw error;
        return { message: lawful({ jsonrpc: "2.0", id, error: error.toJSON() }) };
      }
    },
    sendRaw: async () => {
      throw new Error("in process there are no bytes");
    },
    takeNotifications: () => notifications.splice(0).map(lawful),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

function lawful(message: object): ServerMessage {
  assertWire(message);
  return message;
}

/** Throws for a message that the client would change more than ids and tokens of. */
function assertComposable(message: object): asserts message is ModernRequest {
  const { method, params, id } = message as ModernRequest;
  const composed = modernRequest(method, params, id);
  const _meta = { ...(params["_meta"] as object), ...(composed.params["_meta"] as object) };
  if (isDeepStrictEqual(message, { ...composed, params: { ...params, _meta } })) return;
  throw new Error("the client does not send such a message");
}

/** The message in these bytes; an empty object when there is none. */
function readMessage(data: string | Uint8Array): object {
  try {
    const value: unknown = JSON.parse(data.toString().replace(/^\uFEFF/, ""));
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
