import type { IncomingMessage, ServerResponse } from "node:http";
import type { Servable } from "../../server/serving.ts";
import type { HttpOptions } from "../http/options.ts";
import { HttpService, type RequestExtras } from "../http/service.ts";
import { NodeExchange } from "./node-exchange.ts";

/** Answers one request of Node's `http` module; the path does not matter. Never throws. */
export type NodeHandler = (
  req: IncomingMessage,
  res: ServerResponse,
  extras?: RequestExtras,
) => void;

/**
 * A handler `(req, res, extras?)` to mount in Express, Fastify or any `node:http` server. When a body
 * parser ran before, pass its result on: `handler(req, res, { body: req.body })`. Throws `TypeError`
 * for a wrong option.
 */
export function toNodeHandler(server: Servable, options: HttpOptions = {}): NodeHandler {
  const service = new HttpService(server, options);
  return (req, res, extras) => service.serve(new NodeExchange(req, res), extras);
}
