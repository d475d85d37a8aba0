import express, { type Express } from "express";
import { toNodeHandler } from "snodo/node";
import { server } from "./server.ts";

const mcp = toNodeHandler(server);

/** An Express application with an MCP endpoint; start it with `app.listen(3000, "127.0.0.1")`. */
export const app: Express = express();

app.all("/mcp", (req, res) => mcp(req, res));

// With a parser in front the body is read already, so it is passed on. The parser's own limit counts.
app.all("/parsed/mcp", express.json({ limit: "4mb" }), (req, res) =>
  mcp(req, res, { body: req.body }),
);
