// What a user writes; compiled by several TypeScript versions against the packed library.
import { type Context, RpcError, type Server, createServer, failure, tool } from "snodo";
import { connect } from "snodo/client";
import { toFetch } from "snodo/http";
import { jsonSchema } from "snodo/json-schema";
import { serveHttp } from "snodo/node";
import { serveStdio } from "snodo/stdio";

const divide = tool({
  name: "divide",
  description: "Divide two numbers",
  input: {
    type: "object",
    properties: { dividend: { type: "number" }, divisor: { type: "number" } },
    required: ["dividend", "divisor"],
  },
  call: ({ dividend, divisor }, ctx: Context) => {
    if (ctx.signal.aborted) throw RpcError.invalidParams("too late");
    return divisor === 0 ? failure("cannot divide by zero") : { quotient: dividend / divisor };
  },
});

const server: Server = createServer({
  name: "calculator",
  version: "1.0.0",
  tools: [divide],
  validator: jsonSchema(),
});

export default { fetch: toFetch(server) };

export async function main(): Promise<number> {
  const http = await serveHttp(server, { port: 0 });
  const stdio = await serveStdio(server, { exit: false });
  const client = await connect(server);
  const { content, isError } = await client.callTool("divide", { dividend: 1, divisor: 2 });
  await client.close();
  await stdio.close();
  await http.close();
  return isError ? 0 : content.length;
}
