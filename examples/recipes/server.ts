import { createServer, type Server, tool } from "snodo";

const echo = tool({
  name: "echo",
  description: "Give the text back",
  input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  call: ({ text }) => text,
});

/** The server that the recipes of this folder mount. */
export const server: Server = createServer({ name: "echo", version: "1.0.0", tools: [echo] });
