// The server that the conformance suite tests: node dist/server.js [--port N]
import { parseArgs } from "node:util";
import { createServer, passthrough } from "snodo";
import { serveHttp } from "snodo/node";
import { tools } from "./tools.ts";

const { values } = parseArgs({ options: { port: { type: "string", default: "0" } } });

const server = createServer({
  name: "snodo-conformance",
  version: "0.0.0",
  tools,
  // The suite calls the first tool of the list, whichever it is, with no arguments.
  validator: passthrough,
});

const { port } = await serveHttp(server, { port: Number(values.port) });
console.log(`http://localhost:${port}/mcp`);
