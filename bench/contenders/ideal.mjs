// The raw server with every check that the specification and a bounded listener ask for: what a
// perfect framework on `node:http` would cost. Schemas are compiled and lists encoded once.
import { isUtf8 } from "node:buffer";
import { once } from "node:events";
import { createServer } from "node:http";
import { jsonTools, modern } from "../lib/workload.mjs";
import { callResult, listResult } from "./raw.mjs";

export const title = "ideal: raw with all checks";
export const revision = modern;

const maxBodyBytes = 4 * 1024 * 1024;
const maxDepth = 128;
const local = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;
const localOrigin = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;
const metaKey = (name) => `io.modelcontextprotocol/${name}`;
const metaKeys = {
  version: metaKey("protocolVersion"),
  capabilities: metaKey("clientCapabilities"),
  client: metaKey("clientInfo"),
};

class Refusal extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

function demand(isMet, status, code, message) {
  if (!isMet) throw new Refusal(status, code, message);
}

export async function http(toolCount, port) {
  const operations = createOperations(jsonTools(toolCount));
  const server = createServer((request, response) => {
    try {
      checkRequest(request);
      readBody(request, response, (body) => answer(operations, request.headers, body));
    } catch (error) {
      refuse(response, error);
    }
  });
  await once(server.listen(port, "127.0.0.1"), "listening");
}

function checkRequest({ method, headers }) {
  const { host, origin, accept = "" } = headers;
  demand(local.test(host), 403, -32600, "Host is not allowed");
  demand(origin === undefined || localOrigin.test(origin), 403, -32600, "Origin is not allowed");
  demand(method === "POST", 405, -32600, "POST is needed");
  const [type] = (headers["content-type"] ?? "").split(";", 1);
  demand(type === "application/json", 415, -32600, "Content-Type must be application/json");
  const isAccepted = accept.includes("application/json") && accept.includes("text/event-stream");
  demand(isAccepted, 406, -32600, "Accept must list both types");
  demand(!(Number(headers["content-length"]) > maxBodyBytes), 413, -32600, "The body is too large");
}

function readBody(request, response, toAnswer) {
  const chunks = [];
  let size = 0;
  request.on("data", (chunk) => {
    size += chunk.length;
    chunks.push(chunk);
    if (size > maxBodyBytes) request.destroy();
  });
  request.on("end", () => {
    try {
      const body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
      send(response, 200, toAnswer(body));
    } catch (error) {
      refuse(response, error);
    }
  });
}

function send(response, status, text) {
  const length = Buffer.byteLength(text);
  response.writeHead(status, { "Content-Type": "application/json", "Content-Length": length });
  response.end(text);
}

function refuse(response, { status = 500, code = -32603, message }) {
  send(response, status, JSON.stringify({ jsonrpc: "2.0", error: { code, message } }));
}

function answer(operations, headers, body) {
  demand(isUtf8(body), 400, -32700, "The body is not UTF-8");
  const message = parse(body.toString());
  checkMessage(message);
  const { id, method, params } = message;
  checkMeta(params._meta, headers);
  demand(headers["mcp-method"] === method, 400, -32020, "Mcp-Method differs from the body");
  demand(Object.hasOwn(operations, method), 404, -32601, "The method is unknown");
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${operations[method](params, headers)}}`;
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, -32700, "The body is not JSON");
  }
}

function checkMessage(message) {
  demand(!isDeeperThan(message, maxDepth), 400, -32700, "The body is nested too deep");
  demand(isObject(message) && message.jsonrpc === "2.0", 400, -32600, "jsonrpc must be 2.0");
  const { id, method, params } = message;
  demand(typeof id === "string" || Number.isSafeInteger(id), 400, -32600, "id is malformed");
  demand(typeof method === "string", 400, -32600, "method must be a string");
  demand(isObject(params) && isObject(params._meta), 400, -32602, "params._meta is missing");
}

function checkMeta(meta, headers) {
  const version = meta[metaKeys.version];
  const client = meta[metaKeys.client];
  demand(typeof version === "string", 400, -32602, "protocolVersion is missing");
  demand(isObject(meta[metaKeys.capabilities]), 400, -32602, "clientCapabilities is missing");
  const isClientRight = isObject(client) && isString(client.name) && isString(client.version);
  demand(client === undefined || isClientRight, 400, -32602, "clientInfo is malformed");
  demand(headers["mcp-protocol-version"] === version, 400, -32020, "MCP-Protocol-Version differs");
  demand(version === modern, 400, -32022, "The revision is not served");
}

const isString = (value) => typeof value === "string";
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

function isDeeperThan(value, depth) {
  if (typeof value !== "object" || value === null) return false;
  if (depth === 0) return true;
  for (const key in value) if (isDeeperThan(value[key], depth - 1)) return true;
  return false;
}

/** Each operation returns the result as JSON text. */
function createOperations(tools) {
  const list = JSON.stringify(listResult(tools));
  const compiled = new Map(
    tools.map((tool) => [tool.name, { ...tool, isValid: compile(tool.schema) }]),
  );
  return {
    "tools/list": () => list,
    "tools/call"({ name, arguments: args = {} }, headers) {
      const isSame = decodeHeader(headers["mcp-name"]) === name;
      demand(isSame, 400, -32020, "Mcp-Name differs from the body");
      const tool = compiled.get(name);
      demand(tool !== undefined, 200, -32602, "The tool is unknown");
      demand(isObject(args), 200, -32602, "arguments must be an object");
      demand(tool.isValid(args), 200, -32602, "arguments are invalid");
      return JSON.stringify(callResult(tool.call(args)));
    },
  };
}

function decodeHeader(value) {
  if (!value?.startsWith("=?base64?") || !value.endsWith("?=")) return value;
  return Buffer.from(value.slice("=?base64?".length, -"?=".length), "base64").toString();
}

const checks = {
  string: ({ enum: allowed }) => (allowed ? (value) => allowed.includes(value) : isString),
  integer:
    ({ minimum, maximum }) =>
    (value) =>
      Number.isInteger(value) && value >= minimum && value <= maximum,
};

/** A validator for the schemas of the workload. */
function compile({ properties, required }) {
  const entries = Object.entries(properties).map(([name, schema]) => {
    const check = checks[schema.type](schema);
    const isRequired = required.includes(name);
    return (args) => (args[name] === undefined ? !isRequired : check(args[name]));
  });
  return (args) => entries.every((isValid) => isValid(args));
}
