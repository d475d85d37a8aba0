import { implementation, zodTools } from "../lib/workload.mjs";

export const title = "fastmcp, stateless";
export const revision = "2025-11-25";
export const entry = "fastmcp";
export const packages = ["fastmcp"];

const silent = () => {};
const logger = { debug: silent, error: silent, info: silent, log: silent, warn: silent };

async function createServer(toolCount) {
  const [{ FastMCP }, z] = await Promise.all([import("fastmcp"), import("zod")]);
  const server = new FastMCP({ ...implementation, logger });
  for (const { name, description, schema, call } of zodTools(z, toolCount)) {
    server.addTool({ name, description, parameters: schema, execute: async (args) => call(args) });
  }
  return server;
}

export async function http(toolCount, port) {
  const server = await createServer(toolCount);
  const httpStream = { port, host: "127.0.0.1", endpoint: "/mcp", stateless: true };
  await server.start({ transportType: "httpStream", httpStream });
}

export async function stdio(toolCount) {
  const server = await createServer(toolCount);
  await server.start({ transportType: "stdio" });
}
