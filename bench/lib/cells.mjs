/**
 * What is measured, in this order. `tools` is how many the server has (1), `request` which of the
 * workload's requests is sent (`echo`), `rounds` multiplies the rounds.
 */
export const cells = [
  cell("http", "http-1", "tools/call over HTTP, 1 connection", { inFlight: 1 }),
  cell("http", "http-32", "tools/call over HTTP, 32 connections", { inFlight: 32 }),
  cell("http", "http-256", "tools/call over HTTP, 256 connections", { inFlight: 256 }),
  cell("http", "http-32-1000tools", "tools/call over HTTP, 32 connections, 1,000 tools", {
    inFlight: 32,
    tools: 1000,
  }),
  cell("http", "list-10", "tools/list of 10 tools over HTTP, 32 connections", {
    inFlight: 32,
    tools: 10,
    request: "list",
  }),
  cell("http", "list-1000", "tools/list of 1,000 tools over HTTP, 8 connections", {
    inFlight: 8,
    tools: 1000,
    request: "list",
  }),
  cell("stdio", "stdio-1", "tools/call over stdio, one after the other", { inFlight: 1 }),
  cell("stdio", "stdio-64", "tools/call over stdio, 64 in flight", { inFlight: 64 }),
  cell("inProcess", "inproc", "tools/call in one process, client and server linked", {
    inFlight: 1,
  }),
  cell("start", "start", "process start to the first answered tools/list over stdio", {
    rounds: 5,
  }),
  cell("import", "import", "import of the package", { rounds: 5 }),
  cell("client", "client-1", "client calls over HTTP, one after the other", { inFlight: 1 }),
  cell("client", "client-32", "client calls over HTTP, 32 in flight", { inFlight: 32 }),
];

function cell(kind, name, title, options) {
  return { name, title, kind, request: "echo", tools: 1, rounds: 1, ...options };
}

/** The contenders, each a file in `contenders/`. */
export const contenders = ["snodo", "snodo-json", "raw", "ideal", "undici", "official-v2"];

/** More of them, which run only when asked for. */
export const peers = ["official-v1", "tmcp", "mcp-lite", "fastmcp"];
