// The same server with a JSON Schema literal: `name` is inferred as a string from it.
import { basic, createServer, tool } from "snodo";
import { serveHttp } from "snodo/node";
import { serveStdio } from "snodo/stdio";

const hello = tool({
  name: "hello",
  description: "Greet someone",
  input: {
    type: "object",
    properties: { name: { type: "string", minLength: 1, description: "Who to greet" } },
    required: ["name"],
  },
  annotations: { readOnlyHint: true },
  call: ({ name }) => `Hello, ${name}!`,
});

const server = createServer({ name: "hello", version: "1.0.0", tools: [hello], validator: basic });

if (process.argv.includes("--http")) {
  const { url } = await serveHttp(server, { port: Number(process.env.PORT ?? 3000) });
  console.error(`Serving ${url}`);
} else {
  await serveStdio(server);
}
