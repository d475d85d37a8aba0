import { echoArguments, implementation, modern, zodTools } from "../lib/workload.mjs";

export const title = "snodo";
export const revision = modern;
export const entry = "snodo";
export const packages = ["snodo"];

async function create(toolCount) {
  const [{ createServer, tool }, z] = await Promise.all([import("snodo"), import("zod")]);
  const tools = zodTools(z, toolCount).map(({ schema, ...rest }) =>
    tool({ ...rest, input: schema }),
  );
  return createServer({ ...implementation, tools });
}

export async function http(toolCount, port) {
  const { serveHttp } = await import("snodo/node");
  await serveHttp(await create(toolCount), { port });
}

export async function stdio(toolCount) {
  const { serveStdio } = await import("snodo/stdio");
  await serveStdio(await create(toolCount));
}

export async function inProcess() {
  const { connect } = await import("snodo/client");
  const client = await connect(await create(1));
  return () => client.callTool("echo", echoArguments);
}

export async function client(url) {
  const { connect } = await import("snodo/client");
  const client = await connect(url);
  return () => client.callTool("echo", echoArguments);
}
