// The same tools with JSON Schemas and the bundled validator: no schema library is loaded, and the
// checks are those of the ideal server.
import { implementation, jsonTools, modern } from "../lib/workload.mjs";

export const title = "snodo, JSON Schema instead of zod";
export const revision = modern;
export const packages = ["snodo"];

async function create(toolCount) {
  const { createServer, tool, basic } = await import("snodo");
  const tools = jsonTools(toolCount).map(({ schema, ...rest }) => tool({ ...rest, input: schema }));
  return createServer({ ...implementation, tools, validator: basic });
}

export async function http(toolCount, port) {
  const { serveHttp } = await import("snodo/node");
  await serveHttp(await create(toolCount), { port });
}

export async function stdio(toolCount) {
  const { serveStdio } = await import("snodo/stdio");
  await serveStdio(await create(toolCount));
}
