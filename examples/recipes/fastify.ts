import Fastify, { type FastifyInstance } from "fastify";
import { toNodeHandler } from "snodo/node";
import { server } from "./server.ts";

const mcp = toNodeHandler(server);

/** A Fastify application with an MCP endpoint; start it with `app.listen({ port: 3000 })`. */
export const app: FastifyInstance = Fastify({ bodyLimit: 4 * 1024 * 1024 });

// Fastify has parsed the body; `hijack` leaves the answer to the handler.
app.all("/mcp", (request, reply) => {
  reply.hijack();
  return mcp(request.raw, reply.raw, { body: request.body });
});
