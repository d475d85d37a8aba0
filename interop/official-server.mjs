// @ts-check
// A server of the official TypeScript SDK that serves 2026-07-28 only: over stdio, or with --http on
// a free port, whose address is printed on stderr.
import { serve } from "@hono/node-server";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

function createServer() {
  const server = new McpServer({ name: "official", version: "1.0.0" });
  server.registerTool(
    "add",
    {
      description: "Add two numbers",
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      outputSchema: z.object({ sum: z.number() }),
    },
    ({ a, b }) => ({ content: [], structuredContent: { sum: a + b } }),
  );
  server.registerTool(
    "greet",
    {
      description: "Greet a place, which is mirrored in a header",
      inputSchema: z.object({ place: z.string().meta({ "x-mcp-header": "Place" }) }),
    },
    ({ place }) => ({ content: [{ type: "text", text: `Hello, ${place}!` }] }),
  );
  server.registerTool("fail", { description: "Fail" }, () => ({
    content: [{ type: "text", text: "Out of paper" }],
    isError: true,
  }));
  server.registerTool("count", { description: "Report progress" }, async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken ?? "none";
    for (const progress of [1, 2, 3]) {
      const params = { progressToken, progress, total: 3 };
      await mcpReq.notify({ method: "notifications/progress", params });
    }
    return { content: [{ type: "text", text: "Counted" }] };
  });
  return server;
}

if (process.argv.includes("--http")) {
  const handler = createMcpHandler(createServer, { legacy: "reject" });
  const fetch = (/** @type {Request} */ request) => handler.fetch(request);
  serve({ fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => {
    console.error(`http://127.0.0.1:${port}/mcp`);
  });
} else {
  serveStdio(createServer, { legacy: "reject" });
}
