import { tool } from "snodo";
import { toFetch } from "snodo/http";
import { expect, test } from "vitest";
import { createFixture } from "../support/fixture.mjs";
import { postMessage } from "../support/http.ts";
import { type ModernRequest, requestInit, toAnswer, toolCall } from "../support/modern.ts";
import { callText, serveFixture } from "../support/serve.ts";
import { ServerProcess } from "../support/server-process.ts";

/** A promise and what resolves it. */
function deferred(): { readonly promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}

const cancelled = (params?: unknown): object => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params,
});

async function untilStarted(server: ServerProcess, key: string): Promise<void> {
  for (let id = 1000; ; id += 1) {
    server.write(toolCall("count", { key }, id));
    const { result } = await server.response(id);
    const { started } = (result?.structuredContent ?? {}) as { readonly started?: number };
    if (started === 1) return;
  }
}

// The case waits 2.5 s for a call of 2 s; here the call would take far longer than the test.
test("never answers a cancelled request, stops its work and goes on at once [CA01]", async () => {
  await using server = new ServerProcess();
  server.write(toolCall("slow", { ms: 60_000, key: "c" }, 1));
  await untilStarted(server, "c");
  const startedAt = performance.now();
  server.write(cancelled({ requestId: 1, reason: "user" }));
  server.write(toolCall("echo", { text: "ok" }, 2));
  await server.response(2);
  expect(performance.now() - startedAt).toBeLessThan(200);
  server.write(toolCall("count", { key: "c" }, 3));
  const { result } = await server.response(3);
  expect(result?.structuredContent).toMatchObject({ started: 1, finished: 0 });
  server.child.stdin.end();
  expect(await server.exitCode()).toBe(0);
  expect(server.messages.filter(({ id }) => id === 1)).toEqual([]);
});

test("ignores cancellations that fit nothing, without a word [CA03]", async () => {
  await using server = new ServerProcess();
  server.write(cancelled({ requestId: 424_242 }));
  server.write(cancelled({ requestId: "1" }));
  server.write(cancelled());
  server.write(cancelled({ requestId: null }));
  server.write(cancelled([1]));
  server.write(toolCall("slow", { ms: 300 }, 1));
  server.write(cancelled({ requestId: "1" }));
  expect(await server.response(1)).toMatchObject({ result: { content: [{ text: "slow" }] } });
  server.write(toolCall("echo", { text: "ok" }, 2));
  await server.response(2);
  expect(server.messages.map(({ id }) => id)).toEqual([1, 2]);
});

test("aborts the signal of a caller whose connection is gone, within 250 ms [CA04]", async () => {
  let abortedAt = 0;
  const started = deferred();
  const ended = deferred();
  const wait = tool({
    name: "wait",
    call: (_args, { signal }) => {
      started.resolve();
      signal.addEventListener("abort", () => {
        abortedAt = performance.now();
        ended.resolve();
      });
      return ended.promise.then(() => "too late");
    },
  });
  await using server = await serveFixture({ tools: [wait] });
  const controller = new AbortController();
  const call = postMessage(server.port, toolCall("wait"), { signal: controller.signal });
  await started.promise;
  const goneAt = performance.now();
  controller.abort();
  await expect(call).rejects.toThrow("aborted");
  await ended.promise;
  expect(abortedAt - goneAt).toBeLessThan(250);
  expect(await callText(server.port, "wait2")).toBe(-32602);
});

test("does not begin, or stops at once, a request whose caller is gone before it is read [CA04]", async () => {
  const handler = toFetch(createFixture({ onError: () => {} }));
  const send = (call: ModernRequest, signal?: AbortSignal): Promise<Response> =>
    handler(new Request("http://localhost/", { ...requestInit(call), signal: signal ?? null }));
  const controller = new AbortController();
  const gone = send(toolCall("slow", { ms: 500, key: "gone" }), controller.signal);
  controller.abort();
  // Whether the handler rejects or resolves is its own affair, but it has to end.
  await gone.catch(() => undefined);
  const { body } = await toAnswer(await send(toolCall("count", { key: "gone" })));
  expect(body).toMatchObject({ result: { structuredContent: { finished: 0 } } });
}, 5000);
