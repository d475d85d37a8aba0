import { Hono } from "hono";
import { toFetch } from "snodo/http";
import { server } from "./server.ts";

const mcp = toFetch(server);

/** A Hono application with an MCP endpoint, for every runtime that Hono runs on. */
export const app: Hono = new Hono();

app.all("/mcp", (c) => mcp(c.req.raw));
