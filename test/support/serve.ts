import { connect as connectSocket } from "node:net";
import type { ServerOptions } from "snodo";
import { type HttpServer, type ListenOptions, serveHttp } from "snodo/node";
import { createFixture } from "./fixture.mjs";
import { postMessage } from "./http.ts";
import { toolCall } from "./modern.ts";

/** The fixture on a free port of the loopback interface. */
export function serveFixture(
  options: Partial<ServerOptions> = {},
  listenOptions: ListenOptions = {},
): Promise<HttpServer> {
  const server = createFixture({ onError: () => {}, ...options });
  return serveHttp(server, { port: 0, handleSignals: false, ...listenOptions });
}

/** Calls a tool over HTTP; gives the text of its result, or the code of the error. */
export async function callText(
  port: number,
  name: string,
  args: object = {},
): Promise<string | number | undefined> {
  const { message } = await postMessage(port, toolCall(name, args));
  return message?.error?.code ?? message?.result?.content?.[0]?.text;
}

/**
 * Writes bytes to a socket and reads until as many responses have begun as are awaited and nothing
 * more comes; gives all that was read. A socket that the server closes ends it, too.
 */
export async function overSocket(port: number, bytes: string, responses = 1): Promise<string> {
  const socket = connectSocket(port, "127.0.0.1");
  let text = "";
  return new Promise((resolve, reject) => {
    socket.setEncoding("utf8").setTimeout(15_000, () => socket.destroy(new Error("no answer")));
    socket.on("data", (chunk: string) => {
      text += chunk;
      // The server answers whatever it still takes for a request before it closes.
      if (countResponses(text) >= responses) socket.end();
    });
    socket.once("error", reject).once("close", () => resolve(text));
    socket.write(bytes);
  });
}

/** How many HTTP responses begin in this text. */
export function countResponses(text: string): number {
  return text.match(/HTTP\/1\.1 (?!100)\d{3} /g)?.length ?? 0;
}

/** The statuses of the HTTP responses in this text. */
export function statusesOf(text: string): readonly number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}
