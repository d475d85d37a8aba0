import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, createServer as createHttpServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { tool } from "snodo";
import { toNodeHandler } from "snodo/node";
import { expect, onTestFinished, test } from "vitest";
import { createFixture } from "../support/fixture.mjs";
import { postMessage } from "../support/http.ts";
import { toolCall } from "../support/modern.ts";
import { openPipe } from "../support/pipe.ts";
import { callText, serveFixture } from "../support/serve.ts";
import { watchUncaught } from "../support/uncaught.ts";

const script = fileURLToPath(new URL("../support/signal-fixture.mjs", import.meta.url));

/** A tool that waits until it is told to end. */
function gatedTool() {
  let finish = (): void => {};
  let begin = (): void => {};
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const wait = tool({
    name: "wait",
    call: async () => {
      begin();
      await finished;
      return "finished";
    },
  });
  return { wait, begun, finish: () => finish() };
}

/** How a framework answers in the place of a handler that takes too long. */
const answers: Readonly<Record<string, (res: ServerResponse) => void>> = {
  whole: (res) => void res.writeHead(503).end("too slow"),
  "begun, but not ended": (res) => void res.writeHead(503).write("too slow"),
};

// The case demands a wait: a quiet answer is kept alive every 20 ms.
test.each(Object.keys(answers))(
  "leaves an answer alone that somebody else has given: %s",
  async (how) => {
    const uncaught = watchUncaught();
    const { wait, begun, finish } = gatedTool();
    const handler = toNodeHandler(createFixture({ tools: [wait], limits: { keepAliveMs: 20 } }));
    let response: ServerResponse | undefined;
    const listener = createHttpServer((req, res) => {
      response = res;
      handler(req, res);
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void listener.close());
    await once(listener, "listening");
    const { port } = listener.address() as AddressInfo;
    const call = postMessage(port, toolCall("wait"));
    // Before the first sign of life, which would begin the answer.
    await begun;
    if (response !== undefined) answers[how]?.(response);
    await new Promise((resolve) => setTimeout(resolve, 100));
    finish();
    await new Promise((resolve) => setImmediate(resolve));
    response?.end();
    expect(await call).toMatchObject({ status: 503, text: "too slow" });
    expect(uncaught).toEqual([]);
    expect(await callText(port, "wait")).toBe("finished");
  },
);

test("has closed soon after the last answer, although the client keeps its connection", async () => {
  const { wait, begun, finish } = gatedTool();
  const server = await serveFixture({ tools: [wait], limits: { drainMs: 10_000 } });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const call = postMessage(server.port, toolCall("wait"), { agent });
  await begun;
  const closing = server.close();
  const startedAt = performance.now();
  finish();
  expect(await call).toMatchObject({ status: 200 });
  await closing;
  expect(performance.now() - startedAt).toBeLessThan(1000);
});

test.each(["without", "before", "after"])(
  "drains both listeners of a process on SIGTERM, %s a listener of the application",
  async (when) => {
    const child = fork(script, [when], { silent: true });
    onTestFinished(() => void child.kill("SIGKILL"));
    let output = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => (output += text));
    const [ports] = (await once(child, "message")) as [readonly number[]];
    const calls = ports.map((port) => postMessage(port, toolCall("slow", { ms: 400, key: "k" })));
    for (const port of ports) {
      const started = async (): Promise<unknown> => callText(port, "count", { key: "k" });
      await expect.poll(started).toContain('"started":1');
    }
    const closed = once(child, "close");
    child.kill("SIGTERM");
    expect(await Promise.all(calls)).toMatchObject([{ status: 200 }, { status: 200 }]);
    expect(await closed).toEqual([0, null]);
    expect(output).toBe(when === "without" ? "" : "application done\n");
  },
);

const call = (id: number): string => JSON.stringify(toolCall("bump", { key: "k" }, id));

test("answers nothing after close and leaves no listener behind, on stdio", async () => {
  await using other = await openPipe({});
  const onStderr = process.stderr.listenerCount("error");
  await using pipe = await openPipe({});
  pipe.write(`${call(1)}\n`);
  await pipe.response(1);
  await pipe.server.close();
  await pipe.server.closed;
  pipe.write(`${call(2)}\n`);
  await new Promise((resolve) => setImmediate(resolve));
  expect(pipe.messages.map(({ id }) => id)).toEqual([1]);
  expect(process.stderr.listenerCount("error")).toBe(onStderr);
  // Against streams that are still served: those have their own listeners, too.
  for (const event of ["data", "end", "close", "error"]) {
    expect(other.input.listenerCount(event)).toBeGreaterThan(pipe.input.listenerCount(event));
  }
  for (const event of ["drain", "error", "close"]) {
    expect(other.output.listenerCount(event)).toBeGreaterThan(pipe.output.listenerCount(event));
  }
});

test("drops a line without its end on close, and takes it at the end of the input [STD-9]", async () => {
  await using closing = await openPipe({});
  closing.write(`${call(1)}\n${call(2)}`);
  await closing.response(1);
  await closing.server.close();
  expect(closing.messages.map(({ id }) => id)).toEqual([1]);
  await using ending = await openPipe({});
  ending.input.end(`${call(1)}\n${call(2)}`);
  await ending.server.closed;
  expect(ending.messages.map(({ id }) => id)).toEqual([1, 2]);
});
