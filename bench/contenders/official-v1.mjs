import { echoArguments, implementation, zodTools } from "../lib/workload.mjs";

export const title = "official SDK v1, stateless";
export const revision = "2025-11-25";
export const entry = "@modelcontextprotocol/sdk/server/mcp.js";
export const packages = ["@modelcontextprotocol/sdk"];

async function createFactory(toolCount) {
  const [{ McpServer }, z] = await Promise.all([import(entry), import("zod")]);
  const tools = zodTools(z, toolCount);
  return () => {
    const server = new McpServer(implementation);
    for (const { name, description, schema, call } of tools) {
      server.registerTool(name, { description, inputSchema: schema.shape }, (args) => ({
        content: [{ type: "text", text: call(args) }],
      }));
    }
    return server;
  };
}

/** A server and a transport for each request, as the SDK documents it for servers without sessions. */
export async function http(toolCount, port) {
  const { createServer: listen } = await import("node:http");
  const { StreamableHTTPServerTransport: Transport } =
    await import("@modelcontextprotocol/sdk/server/streamableHttp.js");
  const createServer = await createFactory(toolCount);
  const answer = async (request, response) => {
    const mcp = createServer();
    const transport = new Transport({ sessionIdGenerator: undefined });
    response.on("close", () => void Promise.all([transport.close(), mcp.close()]));
    await mcp.connect(transport);
    await transport.handleRequest(request, response);
  };
  const server = listen((request, response) => void answer(request, response));
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
}

export async function stdio(toolCount) {
  const { StdioServerTransport } = await import("@modelcontextprotocol/sdk/server/stdio.js");
  const createServer = await createFactory(toolCount);
  await createServer().connect(new StdioServerTransport());
}

export async function inProcess() {
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
  const { InMemoryTransport } = await import("@modelcontextprotocol/sdk/inMemory.js");
  const [near, far] = InMemoryTransport.createLinkedPair();
  const createServer = await createFactory(1);
  await createServer().connect(far);
  const client = new Client(implementation);
  await client.connect(near);
  return () => client.callTool({ name: "echo", arguments: echoArguments });
}
