// @ts-check
// How many functions of the library a reader passes on the path of one `tools/call` over HTTP: each
// function that V8 enters in the built package, counted once.
import { once } from "node:events";
import { Session } from "node:inspector/promises";
import { request } from "node:http";
import { createServer, tool } from "../packages/snodo/dist/index.js";
import { serveHttp } from "../packages/snodo/dist/node.js";
import { z } from "zod";
import { report } from "./sources.mjs";

const highest = 45;
const calls = 20;

const echo = tool({
  name: "echo",
  input: z.object({ text: z.string() }),
  call: ({ text }) => text,
});
const server = createServer({ name: "entered", version: "1.0.0", tools: [echo] });
const listener = await serveHttp(server, { port: 0, handleSignals: false });
await callOnce();

const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
for (let count = 0; count < calls; count += 1) await callOnce();
const { result } = await session.post("Profiler.takePreciseCoverage");
session.disconnect();
await listener.close();

const entered = result
  .filter(({ url }) => url.includes("/packages/snodo/dist/"))
  .flatMap(({ functions }) => functions)
  // V8's own name for the fields of a class; nobody wrote or reads such a function.
  .filter(({ functionName }) => functionName !== "<instance_members_initializer>")
  .filter(({ ranges }) => (ranges[0]?.count ?? 0) >= calls);

const names = entered.map(({ functionName }) => functionName || "(anonymous)");
report(
  "entered",
  entered.length > highest
    ? [`one tools/call enters ${entered.length} functions, at most ${highest}: ${names.join(", ")}`]
    : [],
  `one tools/call enters ${entered.length} functions (at most ${highest})`,
);

async function callOnce() {
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: {
      name: "echo",
      arguments: { text: "hello" },
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { name: "check", version: "1.0.0" },
      },
    },
  });
  const outgoing = request(listener.url, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": "tools/call",
      "Mcp-Name": "echo",
    },
  });
  outgoing.end(body);
  const [response] = await once(outgoing, "response");
  response.resume();
  await once(response, "end");
  if (response.statusCode !== 200) throw new Error(`the call was answered ${response.statusCode}`);
}
