import { echoArguments, implementation, modern, zodTools } from "../lib/workload.mjs";

export const title = "tmcp";
export const revision = modern;
export const entry = "tmcp";
export const packages = ["tmcp"];

async function createServer(toolCount) {
  const [{ McpServer }, { ZodJsonSchemaAdapter }, z] = await Promise.all([
    import("tmcp"),
    import("@tmcp/adapter-zod"),
    import("zod"),
  ]);
  const options = { adapter: new ZodJsonSchemaAdapter(), capabilities: { tools: {} } };
  const server = new McpServer(implementation, options);
  for (const { name, description, schema, call } of zodTools(z, toolCount)) {
    server.tool({ name, description, schema }, (args) => ({
      content: [{ type: "text", text: call(args) }],
    }));
  }
  return server;
}

export async function http(toolCount, port) {
  const { HttpTransport } = await import("@tmcp/transport-http");
  const { serve } = await import("srvx");
  const transport = new HttpTransport(await createServer(toolCount), { path: "/mcp" });
  const fetch = async (request) =>
    (await transport.respond(request)) ?? new Response(null, { status: 404 });
  await serve({ port, hostname: "127.0.0.1", silent: true, fetch }).ready();
}

export async function stdio(toolCount) {
  const { StdioTransport } = await import("@tmcp/transport-stdio");
  new StdioTransport(await createServer(toolCount)).listen();
}

export async function inProcess() {
  const { InMemoryTransport } = await import("@tmcp/transport-in-memory");
  const session = new InMemoryTransport(await createServer(1)).session();
  await session.initialize("2025-11-25", {}, implementation);
  return () => session.callTool("echo", echoArguments);
}
