import { ClientError, type ConnectTarget, connect, RpcError } from "snodo/client";
import { jsonSchema } from "snodo/json-schema";

/** Calls a tool of any server: a URL, `{ command, args }`, or a server in this program. */
export async function ask(target: ConnectTarget, name: string, question: string): Promise<string> {
  await using client = await connect(target, { validator: jsonSchema({ trusted: false }) });

  const names: string[] = [];
  for await (const tool of client.listTools()) names.push(tool.name);
  if (!names.includes(name)) return `There is no tool "${name}", only: ${names.join(", ")}`;

  try {
    const result = await client.callTool(
      name,
      { question },
      {
        signal: AbortSignal.timeout(30_000),
        onProgress: ({ progress, total }) => console.error(`${progress} of ${total}`),
      },
    );
    const texts = result.content.map((block) => (block.type === "text" ? block.text : ""));
    return result.isError ? `The tool failed: ${texts.join("\n")}` : texts.join("\n");
  } catch (error) {
    if (error instanceof RpcError) return `The server refused (${error.code}): ${error.message}`;
    // With the outcome "none" the server has surely not executed the call.
    if (error instanceof ClientError) return `${error.reason}, outcome ${error.outcome}`;
    throw error;
  }
}
