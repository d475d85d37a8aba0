import { createServer as createHttpServer, type Server as NodeServer } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { CancelledError } from "../../core/cancellation.ts";
import { engineOf, type Servable } from "../../server/serving.ts";
import { refuse } from "../http/http-call.ts";
import type { HttpOptions } from "../http/options.ts";
import { HttpService } from "../http/service.ts";
import { closeOnSignal } from "./close-on-signal.ts";
import { NodeExchange } from "./node-exchange.ts";

/** Where and how to listen. */
export interface ListenOptions extends HttpOptions {
  /** Default 3000; 0 means any free port. */
  readonly port?: number;
  /** Default `127.0.0.1`. Anything else makes the server reachable from outside. */
  readonly host?: string;
  /** The MCP endpoint; every other path is answered 404. Default `/mcp`. */
  readonly path?: string;
  /** Closes the server when aborted. */
  readonly signal?: AbortSignal;
  /** On SIGTERM and SIGINT: finish what is in flight, then end the process. Default true. */
  readonly handleSignals?: boolean;
}

/** A listening server. */
export interface HttpServer extends AsyncDisposable {
  /** The address of the MCP endpoint, for example `http://127.0.0.1:3000/mcp`. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** Resolves when the server has closed. */
  readonly closed: Promise<void>;
  /** Takes no new request, waits for those in flight up to the limit drainMs, then cuts them off. */
  close(): Promise<void>;
}

/**
 * Serves over Streamable HTTP on a listener of its own. Rejects when the port cannot be had. spec:
 * basic/transports/streamable-http
 */
export async function serveHttp(
  server: Servable,
  options: ListenOptions = {},
): Promise<HttpServer> {
  const { port = 3000, host = "127.0.0.1", path = "/mcp", handleSignals = true } = options;
  if (!path.startsWith("/")) throw new TypeError('The option path must start with "/"');
  const notFound = { status: 404, message: `There is nothing here; the MCP endpoint is ${path}` };
  const { limits } = engineOf(server);
  const service = new HttpService(server, options);
  const listener = createHttpServer(
    {
      headersTimeout: limits.bodyReadMs,
      requestTimeout: limits.bodyReadMs * 2,
      connectionsCheckingInterval: Math.min(5_000, limits.bodyReadMs),
      // Longer than the 60 s after which common balancers drop idle connections.
      keepAliveTimeout: 75_000,
    },
    (req, res) => {
      const exchange = new NodeExchange(req, res);
      if (!listener.listening) res.setHeader("Connection", "close");
      const [requested] = exchange.url.split("?", 1);
      if (requested === path) service.serve(exchange);
      else refuse(exchange, notFound);
    },
  );
  await listen(listener, port, host);
  return control(listener, service, { ...options, handleSignals, path, drainMs: limits.drainMs });
}

async function listen(listener: NodeServer, port: number, host: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    listener.once("error", reject);
    listener.listen(port, host, () => {
      listener.off("error", reject);
      resolve();
    });
  });
}

interface ControlOptions {
  readonly path: string;
  readonly drainMs: number;
  readonly handleSignals: boolean;
  readonly signal?: AbortSignal;
}

/** How often connections are closed that have become idle while the server closes. */
const idleCheckMs = 50;

function control(listener: NodeServer, service: HttpService, options: ControlOptions): HttpServer {
  const { host, port } = addressOf(listener);
  const sockets = new Set<Socket>();
  listener.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  const closed = new Promise<void>((resolve) => {
    listener.once("close", resolve);
  });
  const close = async (): Promise<void> => {
    options.signal?.removeEventListener("abort", onAbort);
    if (!listener.listening) return closed;
    // Not the close() of HTTP, which cuts off answers that are still on their way.
    NetServer.prototype.close.call(listener);
    const closeIdle = (): void => {
      if ([...sockets].every(isFlushed)) listener.closeIdleConnections();
    };
    closeIdle();
    const idle = setInterval(closeIdle, idleCheckMs);
    const limit = setTimeout(() => {
      service.cancelAll(new CancelledError("The server is closing"));
      listener.closeAllConnections();
    }, options.drainMs);
    await closed;
    clearInterval(idle);
    clearTimeout(limit);
  };
  const onAbort = (): void => void close();
  options.signal?.addEventListener("abort", onAbort, { once: true });
  if (options.signal?.aborted) void close();
  if (options.handleSignals) closeOnSignal({ close, closed });
  return {
    url: `http://${host}:${port}${options.path}`,
    host: host.replaceAll(/[[\]]/g, ""),
    port,
    closed,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function isFlushed(socket: Socket): boolean {
  return socket.writableLength === 0;
}

function addressOf(listener: NodeServer): { readonly host: string; readonly port: number } {
  const address = listener.address();
  if (typeof address !== "object" || address === null) throw new Error("The server has no address");
  const { address: host, port, family } = address;
  return { host: family === "IPv6" ? `[${host}]` : host, port };
}
