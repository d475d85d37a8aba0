import { fork } from "node:child_process";
import { once } from "node:events";
import { connect as connectSocket } from "node:net";
import { fileURLToPath } from "node:url";
import { createServer, tool } from "snodo";
import { serveHttp } from "snodo/node";
import { expect, test } from "vitest";
import { modernRequest, post, requestInit, toolCall } from "../support/modern.ts";

const fixture = fileURLToPath(new URL("../support/http-fixture.mjs", import.meta.url));

/** A server whose one tool says when it has begun and ends when it is told to. */
function gated(limits: object = {}) {
  let begin: () => void = () => {};
  let finish: () => void = () => {};
  let signal: AbortSignal | undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const wait = tool({
    name: "wait",
    call: async (_args, ctx) => {
      signal = ctx.signal;
      begin();
      await finished;
      return "finished";
    },
  });
  const server = createServer({ name: "lifecycle", version: "1", tools: [wait], limits });
  return { server, begun, finish: () => finish(), signal: () => signal };
}

test("listens on the loopback interface and tells where [HTTP-3]", async () => {
  await using listener = await serveHttp(gated().server, { port: 0 });
  expect(listener.host).toBe("127.0.0.1");
  expect(listener.url).toBe(`http://127.0.0.1:${listener.port}/mcp`);
  expect((await post(listener.url, modernRequest("tools/list"))).status).toBe(200);
});

test("serves another path and answers the rest with 404 and a JSON-RPC error", async () => {
  await using listener = await serveHttp(gated().server, { port: 0, path: "/api/tools" });
  expect((await post(listener.url, modernRequest("tools/list"))).status).toBe(200);
  const elsewhere = await post(new URL("/mcp", listener.url), modernRequest("tools/list"));
  expect(elsewhere).toMatchObject({ status: 404, body: { error: { code: -32600 } } });
});

test("rejects when the port is taken and when the path is no path", async () => {
  await using listener = await serveHttp(gated().server, { port: 0 });
  const again = serveHttp(gated().server, { port: listener.port });
  await expect(again).rejects.toMatchObject({ code: "EADDRINUSE" });
  await expect(serveHttp(gated().server, { port: 0, path: "mcp" })).rejects.toThrow(/path/);
});

test("finishes what is in flight before it closes, and takes nothing new", async () => {
  const { server, begun, finish } = gated();
  const listener = await serveHttp(server, { port: 0 });
  const inFlight = post(listener.url, toolCall("wait"));
  await begun;
  const closing = listener.close();
  await expect(post(listener.url, modernRequest("tools/list"))).rejects.toThrow("fetch failed");
  finish();
  expect(await inFlight).toMatchObject({
    status: 200,
    body: { result: { content: [{ type: "text", text: "finished" }] } },
  });
  await closing;
  await listener.closed;
});

test("cuts off what does not finish within drainMs and aborts its signal", async () => {
  const { server, begun, signal } = gated({ drainMs: 50 });
  const listener = await serveHttp(server, { port: 0 });
  const inFlight = post(listener.url, toolCall("wait"));
  const outcome = inFlight.then(
    () => "answered",
    () => "cut off",
  );
  await begun;
  await listener.close();
  expect(await outcome).toBe("cut off");
  expect(signal()?.aborted).toBe(true);
});

test("lets an answer arrive whole that is still on its way", async () => {
  const bytes = 30 * 1024 * 1024;
  const big = tool({ name: "big", call: () => "x".repeat(bytes) });
  const server = createServer({ name: "lifecycle", version: "1", tools: [big] });
  const listener = await serveHttp(server, { port: 0 });
  const response = await fetch(listener.url, requestInit(toolCall("big")));
  const closing = listener.close();
  expect((await response.text()).length).toBeGreaterThan(bytes);
  await closing;
});

test("does not wait for idle connections", async () => {
  const listener = await serveHttp(gated().server, { port: 0 });
  const socket = connectSocket(listener.port, "127.0.0.1");
  await once(socket, "connect");
  await listener.close();
  socket.destroy();
});

test("closes when its signal is aborted, also if that was before", async () => {
  const controller = new AbortController();
  const listener = await serveHttp(gated().server, { port: 0, signal: controller.signal });
  controller.abort();
  await listener.closed;
  const late = await serveHttp(gated().server, { port: 0, signal: controller.signal });
  await late.closed;
});

test.each(["SIGTERM", "SIGINT"] as const)(
  "answers what is in flight on %s and exits with 0",
  async (signal) => {
    const child = fork(fixture, { execArgv: ["--expose-gc"] });
    const [{ port }] = (await once(child, "message")) as [{ port: number }];
    const url = `http://127.0.0.1:${port}/mcp`;
    const inFlight = post(url, toolCall("slow", { ms: 400, key: "k" }));
    await expect.poll(() => started(url)).toBe(1);
    const exited = once(child, "exit");
    child.kill(signal);
    expect((await inFlight).status).toBe(200);
    expect(await exited).toEqual([0, null]);
  },
);

async function started(url: string): Promise<unknown> {
  const { body } = await post(url, toolCall("count", { key: "k" }));
  return (body as { result: { structuredContent: { started: number } } }).result.structuredContent
    .started;
}
