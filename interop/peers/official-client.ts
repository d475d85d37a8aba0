import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Peer, Target } from "./peer.ts";

/** The client of the official TypeScript SDK. Pinned: it speaks 2026-07-28 or fails. */
export async function officialClient(target: Target): Promise<Peer> {
  const client = new Client(
    { name: "interop", version: "0.0.0" },
    { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  await client.connect(toTransport(target));
  return {
    listTools: () => client.listTools(),
    callTool: (name, args = {}) => client.callTool({ name, arguments: args }),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

function toTransport(target: Target): StreamableHTTPClientTransport | StdioClientTransport {
  if ("url" in target) return new StreamableHTTPClientTransport(new URL(target.url));
  return new StdioClientTransport({ command: process.execPath, args: [...target.args] });
}
