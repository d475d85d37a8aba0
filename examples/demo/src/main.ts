import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { serveHttp } from "snodo/node";
import { serveStdio } from "snodo/stdio";
import { openNotes } from "./notes.ts";
import { createNotesServer } from "./server.ts";

const usage = `Notes over the Model Context Protocol.

Options
  --port N      HTTP port; 0 takes any free one (default 3000)
  --host HOST   address to listen on (default 127.0.0.1)
  --stdio       speak over stdin and stdout instead of HTTP
  --data DIR    folder of the notes (default .data beside the demo)
  --help        this text

Examples
  npm start
  npm start -- --port 8080 --data ~/notes
  npm start --silent -- --stdio
`;

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: "string", default: "3000" },
      host: { type: "string", default: "127.0.0.1" },
      stdio: { type: "boolean", default: false },
      data: { type: "string", default: fileURLToPath(new URL("../.data", import.meta.url)) },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return void process.stdout.write(usage);
  const port = Number(values.port);
  if (!/^\d+$/.test(values.port) || port > 65_535) throw new Error("--port takes 0 to 65535");

  const notes = await openNotes(values.data);
  process.once("exit", () => notes.close());
  const server = createNotesServer(notes);
  if (values.stdio) return void (await serveStdio(server));
  const { url } = await serveHttp(server, { port, host: values.host }).catch((error: unknown) => {
    const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    if (!isTaken) throw error;
    throw new Error(`Port ${port} is taken; choose another one with --port`, { cause: error });
  });
  console.error(announcement(url, values.data));
}

function announcement(url: string, data: string): string {
  const main = fileURLToPath(import.meta.url);
  const meta =
    '{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}';
  return `Notes server on ${url}, notes in ${data}

Try it
  curl ${url} -H 'content-type: application/json' -H 'accept: application/json, text/event-stream' \\
    -H 'mcp-protocol-version: 2026-07-28' -H 'mcp-method: tools/list' \\
    -d '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":${meta}}}'

In a host's configuration, over HTTP or over stdio
  {"mcpServers":{"notes":{"type":"http","url":"${url}"}}}
  ${JSON.stringify({ mcpServers: { notes: { command: "node", args: [main, "--stdio"] } } })}`;
}
