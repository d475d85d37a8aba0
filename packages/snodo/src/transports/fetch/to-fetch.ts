import type { Servable } from "../../server/serving.ts";
import type { HttpOptions } from "../http/options.ts";
import { HttpService, type RequestExtras } from "../http/service.ts";
import { WebExchange } from "./web-exchange.ts";

/** Answers one web-standard request; the path of its URL does not matter. */
export type FetchHandler = (request: Request, extras?: RequestExtras) => Promise<Response>;

/**
 * A handler `(request, extras?) => Promise<Response>` for every runtime that speaks the web's types:
 * Bun, Deno, Workers, and frameworks such as Hono. Browsers need `allowedOrigins`, also from pages on
 * this machine unless the request names a loopback host. Throws `TypeError` for a wrong option.
 */
export function toFetch(server: Servable, options: HttpOptions = {}): FetchHandler {
  const service = new HttpService(server, options);
  return async (request, extras) => {
    const exchange = new WebExchange(request);
    service.serve(exchange, extras);
    return exchange.response;
  };
}
