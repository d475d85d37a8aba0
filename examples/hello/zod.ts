// node examples/hello/zod.ts          speaks over stdin and stdout
// node examples/hello/zod.ts --http   serves http://127.0.0.1:3000/mcp
import { createServer, tool } from "snodo";
import { serveHttp } from "snodo/node";
import { serveStdio } from "snodo/stdio";
import { z } from "zod";

const hello = tool({
  name: "hello",
  description: "Greet someone",
  input: z.object({ name: z.string().min(1).describe("Who to greet") }),
  annotations: { readOnlyHint: true },
  call: ({ name }) => `Hello, ${name}!`,
});

const server = createServer({ name: "hello", version: "1.0.0", tools: [hello] });

if (process.argv.includes("--http")) {
  const { url } = await serveHttp(server, { port: Number(process.env.PORT ?? 3000) });
  console.error(`Serving ${url}`);
} else {
  await serveStdio(server);
}
