import type { Auth } from "../core/context.ts";
import type { AnyTool } from "../core/tool.ts";
import { Client } from "../client/client.ts";
import { type ClientOptions, type ClientSettings, resolveOptions } from "../client/options.ts";
import type { ClientTransport } from "../client/transport.ts";
import type { Servable } from "../server/serving.ts";
import type { StdioTarget } from "./connect-target.ts";
import { checkedHeaders, checkedUrl } from "./fetch/client-headers.ts";
import { FetchTransport, type HttpClientOptions } from "./fetch/client-transport.ts";
import { InProcessTransport } from "./in-process/in-process-transport.ts";

/** What `connect` takes beside the target. */
export interface ConnectOptions extends ClientOptions {
  /** Gives up connecting when aborted. */
  readonly signal?: AbortSignal;
  /** Who calls, as `ctx.auth` sees it. In process only. */
  readonly auth?: Auth;
  /** More headers of every HTTP request, such as `Authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends HTTP requests in place of the runtime's own ways. */
  readonly fetch?: typeof fetch;
}

/**
 * A server in this program, the URL of one, a program to start (on Node), or a transport of your own.
 * `Tools` types the client.
 */
export type ConnectTarget<Tools extends readonly AnyTool[] = readonly AnyTool[]> =
  | Servable<Tools>
  | URL
  | string
  | StdioTarget
  | ClientTransport;

/** The ways to reach a server that depend on the runtime. */
export interface Reach {
  http(options: HttpClientOptions): ClientTransport;
  stdio(target: StdioTarget, settings: ClientSettings): ClientTransport;
}

/**
 * Connects to a server and asks it who it is, so that a wrong address or command fails here. Close the
 * client, or declare it with `await using`. Rejects with `ClientError` (no connection, no MCP server
 * there), `RpcError` (the server's answer) or `TypeError` (wrong options).
 *
 * The client of a server in this program is typed by its tools; for a remote one, name them:
 * `connect<typeof server.tools>(url)`.
 */
export function connect<Tools extends readonly AnyTool[] = readonly AnyTool[]>(
  target: ConnectTarget<Tools>,
  options: ConnectOptions = {},
): Promise<Client<Tools>> {
  return connectWith(portable, target, options);
}

const portable: Reach = {
  http: (options) => new FetchTransport(options, fetch),
  stdio: () => {
    throw new TypeError("This runtime cannot start programs; connect to a URL");
  },
};

/** {@link connect} for a runtime. */
export async function connectWith<Tools extends readonly AnyTool[]>(
  reach: Reach,
  target: ConnectTarget<Tools>,
  options: ConnectOptions,
): Promise<Client<Tools>> {
  options.signal?.throwIfAborted();
  const settings = resolveOptions(options);
  const client = new Client<Tools>(toTransport(reach, target, { ...options, settings }), settings);
  try {
    await client.open(options.signal);
    return client;
  } catch (error) {
    await client.close();
    throw error;
  }
}

function toTransport(
  reach: Reach,
  target: ConnectTarget,
  { settings, ...options }: ConnectOptions & { readonly settings: ClientSettings },
): ClientTransport {
  if (typeof target === "string" || target instanceof URL) {
    const http: HttpClientOptions = {
      url: checkedUrl(target),
      headers: checkedHeaders(options.headers),
      maxResponseBytes: settings.maxResponseBytes,
    };
    return options.fetch === undefined ? reach.http(http) : new FetchTransport(http, options.fetch);
  }
  if ("send" in target) return target;
  if ("command" in target) return reach.stdio(target, settings);
  return new InProcessTransport(target, options.auth);
}
