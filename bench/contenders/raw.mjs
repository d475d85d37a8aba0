// No framework and no checks: JSON, a look at the method, the tool.
import { once } from "node:events";
import { headers, implementation, jsonTools, message, modern, requests } from "../lib/workload.mjs";

export const title = "raw: no framework, no checks";
export const revision = modern;
export const entry = undefined; // nothing to import

const _meta = { "io.modelcontextprotocol/serverInfo": implementation };
const cacheHints = { ttlMs: 0, cacheScope: "private" };
const discoverResult = {
  supportedVersions: [modern],
  capabilities: { tools: {} },
  resultType: "complete",
  ...cacheHints,
  _meta,
};

/** The result of `tools/call`. */
export function callResult(text) {
  return { content: [{ type: "text", text }], resultType: "complete", _meta };
}

/** The result of `tools/list`. */
export function listResult(tools) {
  const listed = tools.map(({ name, description, schema }) => ({
    name,
    description,
    inputSchema: schema,
  }));
  return { tools: listed, resultType: "complete", ...cacheHints, _meta };
}

function createAnswer(toolCount) {
  const tools = jsonTools(toolCount);
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const list = listResult(tools);
  const operations = {
    "server/discover": () => discoverResult,
    "tools/list": () => list,
    "tools/call": ({ name, arguments: args }) => callResult(byName.get(name).call(args)),
  };
  return (text) => {
    const { id, method, params } = JSON.parse(text);
    return JSON.stringify({ jsonrpc: "2.0", id, result: operations[method](params) });
  };
}

export async function http(toolCount, port) {
  const { createServer } = await import("node:http");
  const answer = createAnswer(toolCount);
  const server = createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
      const text = answer(body.toString());
      const length = Buffer.byteLength(text);
      response.writeHead(200, { "Content-Type": "application/json", "Content-Length": length });
      response.end(text);
    });
  });
  await once(server.listen(port, "127.0.0.1"), "listening");
}

/** All lines of a chunk are answered in one write. */
export function stdio(toolCount) {
  const answer = createAnswer(toolCount);
  let rest = "";
  process.stdin.setEncoding("utf8").on("data", (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop();
    if (lines.length > 0) process.stdout.write(lines.map((line) => answer(line) + "\n").join(""));
  });
}

/** The least that a linked client and server do which pass each other JSON. */
export function inProcess() {
  const answer = createAnswer(1);
  const request = message(requests.echo, modern);
  return async () => JSON.parse(answer(JSON.stringify(request))).result;
}

export async function client(url, inFlight) {
  const http = await import("node:http");
  const agent = new http.Agent({ keepAlive: true, maxSockets: inFlight });
  const head = headers(requests.echo, modern);
  let id = 0;
  return () =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify(message(requests.echo, modern, id++));
      const options = {
        method: "POST",
        agent,
        headers: { ...head, "Content-Length": Buffer.byteLength(body) },
      };
      const request = http.request(url, options, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk) => (text += chunk));
        response.on("end", () => resolve(JSON.parse(text).result));
      });
      request.on("error", reject).end(body);
    });
}
