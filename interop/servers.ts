import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../test/support/folder.ts";
import { StdioPeer } from "../test/support/modern.ts";
import type { Target } from "./peers/peer.ts";

/** How a server is reached. */
export type Transport = "HTTP" | "stdio";

/** A server that is running, or that a client starts over stdio. */
export interface Served extends AsyncDisposable {
  readonly target: Target;
}

/** The demo with no notes in it. Only within a test. */
export async function serveDemo(transport: Transport): Promise<Served> {
  const main = fileURLToPath(new URL("../examples/demo/dist/main.js", import.meta.url));
  const data = ["--data", temporaryFolder()];
  if (transport === "HTTP") return startHttp([main, "--port", "0", ...data]);
  return leaveToClient([main, "--stdio", ...data]);
}

/** A server of the official SDK. */
export async function serveOfficial(transport: Transport): Promise<Served> {
  const main = fileURLToPath(new URL("official-server.mjs", import.meta.url));
  if (transport === "HTTP") return startHttp([main, "--http"]);
  return leaveToClient([main]);
}

async function startHttp(args: readonly string[]): Promise<Served> {
  const server = new StdioPeer(args);
  const [url] = await server.untilStderr(/http:\S+\/mcp/);
  return { target: { url }, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

function leaveToClient(args: readonly string[]): Served {
  return { target: { args }, [Symbol.asyncDispose]: async () => undefined };
}
