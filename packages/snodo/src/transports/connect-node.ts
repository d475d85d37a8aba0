import type { AnyTool } from "../core/tool.ts";
import type { Client } from "../client/client.ts";
import { type ConnectOptions, type ConnectTarget, connectWith, type Reach } from "./connect.ts";
import { NodeHttpTransport } from "./node/client-transport.ts";
import { StdioTransport } from "./stdio/client-transport.ts";

const node: Reach = {
  http: (options) => new NodeHttpTransport(options),
  stdio: (target, { maxResponseBytes }) => new StdioTransport(target, maxResponseBytes),
};

/**
 * Connects to a server and asks it who it is, so that a wrong address or command fails here. Close the
 * client, or declare it with `await using`. Rejects with `ClientError` (no connection, no MCP server
 * there), `RpcError` (the server's answer) or `TypeError` (wrong options).
 *
 * The client of a server in this program is typed by its tools; for a remote one, name them:
 * `connect<typeof server.tools>(url)`.
 */
export function connect<Tools extends readonly AnyTool[] = readonly AnyTool[]>(
  target: ConnectTarget<Tools>,
  options: ConnectOptions = {},
): Promise<Client<Tools>> {
  return connectWith(node, target, options);
}
