import { implementation, zodTools } from "../lib/workload.mjs";

export const title = "mcp-lite, stateless";
export const revision = "2025-06-18";
export const entry = "mcp-lite";
export const packages = ["mcp-lite", "@hono/node-server"];

export async function http(toolCount, port) {
  const { McpServer, StreamableHttpTransport } = await import("mcp-lite");
  const { serve } = await import("@hono/node-server");
  const z = await import("zod");
  const server = new McpServer({
    ...implementation,
    schemaAdapter: (schema) => z.toJSONSchema(schema),
  });
  for (const { name, description, schema, call } of zodTools(z, toolCount)) {
    const handler = (args) => ({ content: [{ type: "text", text: call(args) }] });
    server.tool(name, { description, inputSchema: schema, handler });
  }
  const fetch = new StreamableHttpTransport().bind(server);
  await new Promise((resolve) => serve({ fetch, port, hostname: "127.0.0.1" }, resolve));
}
