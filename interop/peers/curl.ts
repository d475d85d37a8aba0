import { modernRequest, type ModernRequest, toolCall } from "../../test/support/modern.ts";
import { type Peer, Refusal, type Target } from "./peer.ts";
import { run } from "./run.ts";

/** `curl` with the headers that somebody types who has read the specification. */
export async function curl(target: Target): Promise<Peer> {
  if (!("url" in target)) throw new TypeError("curl speaks HTTP only");
  const post = async (message: ModernRequest, ...headers: string[]): Promise<unknown> => {
    const all = [
      "Content-Type: application/json",
      "Accept: application/json, text/event-stream",
      "MCP-Protocol-Version: 2026-07-28",
      `Mcp-Method: ${message.method}`,
      ...headers,
    ].flatMap((header) => ["--header", header]);
    const args = ["--silent", "--show-error", ...all, "--data-binary", JSON.stringify(message)];
    const { stdout, stderr } = await run("curl", [...args, target.url]);
    if (stdout === "") throw new Error(stderr);
    const answer = JSON.parse(stdout);
    if (answer.error !== undefined) throw new Refusal(answer.error);
    return answer.result;
  };
  return {
    listTools: () => post(modernRequest("tools/list")),
    callTool: (name, args = {}) => {
      const mirrored = name === "read_note" ? [`Mcp-Param-Note-Id: ${String(args.id)}`] : [];
      return post(toolCall(name, args), `Mcp-Name: ${name}`, ...mirrored);
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}
