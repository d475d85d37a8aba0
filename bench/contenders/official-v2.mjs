import { echoArguments, implementation, modern, zodTools } from "../lib/workload.mjs";

export const title = "official SDK v2";
export const revision = modern;
export const entry = "@modelcontextprotocol/server";
export const packages = ["server", "client", "node"].map((name) => `@modelcontextprotocol/${name}`);

/** The SDK asks for a factory and calls it per request; the schemas are built once, outside of it. */
async function createFactory(toolCount) {
  const [{ McpServer }, z] = await Promise.all([import(entry), import("zod")]);
  const tools = zodTools(z, toolCount);
  return () => {
    const server = new McpServer(implementation, { capabilities: { tools: {} } });
    for (const { name, description, schema, call } of tools) {
      server.registerTool(name, { description, inputSchema: schema }, (args) => ({
        content: [{ type: "text", text: call(args) }],
      }));
    }
    return server;
  };
}

export async function http(toolCount, port) {
  const { createServer } = await import("node:http");
  const { createMcpHandler } = await import(entry);
  const node = await import("@modelcontextprotocol/node");
  const handler = node.toNodeHandler(createMcpHandler(await createFactory(toolCount)));
  const isHostAllowed = node.localhostHostValidation();
  const isOriginAllowed = node.localhostOriginValidation();
  const server = createServer((request, response) => {
    if (isHostAllowed(request, response) && isOriginAllowed(request, response)) {
      void handler(request, response);
    }
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
}

export async function stdio(toolCount) {
  const { serveStdio } = await import("@modelcontextprotocol/server/stdio");
  serveStdio(await createFactory(toolCount));
}

export async function inProcess() {
  const { Client, InMemoryTransport } = await import("@modelcontextprotocol/client");
  const [near, far] = InMemoryTransport.createLinkedPair();
  const createServer = await createFactory(1);
  await createServer().connect(far);
  const client = new Client(implementation);
  await client.connect(near);
  return () => client.callTool({ name: "echo", arguments: echoArguments });
}

export async function client(url) {
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const client = new Client(implementation, { versionNegotiation: { mode: "auto" } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return () => client.callTool({ name: "echo", arguments: echoArguments });
}
