import type { Client } from "../../packages/snodo/src/client/client.ts";
import type { ClientWarning } from "../../packages/snodo/src/client/options.ts";
import type { ListedTool } from "../../packages/snodo/src/client/tool-catalog.ts";
import { connect } from "../../packages/snodo/src/transports/connect-node.ts";
import type { ConnectOptions } from "../../packages/snodo/src/transports/connect.ts";
import { type FakeHttpServer, fakeHttpServer, type Script } from "./fake-http-server.ts";

/** A client, the scripted server that it is connected to, and what it was warned of. */
export interface ScriptedClient extends AsyncDisposable {
  readonly server: FakeHttpServer;
  readonly client: Client;
  readonly warnings: readonly ClientWarning[];
}

/** Starts a scripted HTTP server and connects a client to it. */
export async function connectToScripts(
  scripts: Readonly<Record<string, Script>>,
  options: ConnectOptions = {},
): Promise<ScriptedClient> {
  const server = await fakeHttpServer(scripts);
  const warnings: ClientWarning[] = [];
  const onWarning = (warning: ClientWarning): unknown => warnings.push(warning);
  const client = await connect(server.url, { onWarning, ...options });
  const dispose = async (): Promise<void> => {
    await client.close();
    await server[Symbol.asyncDispose]();
  };
  return { server, client, warnings, [Symbol.asyncDispose]: dispose };
}

/** Every tool that the client lists. */
export async function listAll(client: Client): Promise<readonly ListedTool[]> {
  const tools: ListedTool[] = [];
  for await (const tool of client.listTools()) tools.push(tool);
  return tools;
}

/** A tool as a server lists it, without arguments. */
export function plainTool(name: string): object {
  return { name, inputSchema: { type: "object" } };
}
