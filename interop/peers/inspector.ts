import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../../test/support/folder.ts";
import { type Peer, Refusal, type Target } from "./peer.ts";
import { run } from "./run.ts";

const launcher = fileURLToPath(
  new URL(
    "../../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js",
    import.meta.url,
  ),
);

/** The command line of the official inspector; each request is a process, over stdio a server too. */
export async function inspector(target: Target): Promise<Peer> {
  const server = "url" in target ? [target.url] : [process.execPath, ...target.args];
  const env = { HOME: temporaryFolder() };
  const request = async (method: string, ...options: string[]): Promise<unknown> => {
    const era = ["--protocol-era", "modern"];
    const format = ["--format", "json", "--quiet"];
    const args = [launcher, "--cli", ...server, ...era, ...format, "--method", method, ...options];
    const { stdout, stderr } = await run(process.execPath, args, env);
    if (stdout === "") throw new Refusal(JSON.parse(stderr).error);
    return JSON.parse(stdout).result;
  };
  return {
    listTools: () => request("tools/list"),
    callTool: (name, args = {}) =>
      request("tools/call", "--tool-name", name, "--tool-args-json", JSON.stringify(args)),
    [Symbol.asyncDispose]: async () => undefined,
  };
}
