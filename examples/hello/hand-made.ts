// The same server without `tool()`: any object of the shape of a tool is one.
import { basic, createServer, type Tool } from "snodo";
import { serveHttp } from "snodo/node";
import { serveStdio } from "snodo/stdio";

const hello: Tool<"hello", { name: string }, string> = {
  name: "hello",
  description: "Greet someone",
  inputSchema: {
    type: "object",
    properties: { name: { type: "string", minLength: 1, description: "Who to greet" } },
    required: ["name"],
  },
  annotations: { readOnlyHint: true },
  call: ({ name }) => `Hello, ${name}!`,
};

const server = createServer({ name: "hello", version: "1.0.0", tools: [hello], validator: basic });

if (process.argv.includes("--http")) {
  const { url } = await serveHttp(server, { port: Number(process.env.PORT ?? 3000) });
  console.error(`Serving ${url}`);
} else {
  await serveStdio(server);
}
