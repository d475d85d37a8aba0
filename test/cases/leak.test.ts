import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent } from "node:http";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { exchange, headersOf, postMessage } from "../support/http.ts";
import { toolCall } from "../support/modern.ts";
import { overSocket, statusesOf } from "../support/serve.ts";
import { ServerProcess } from "../support/server-process.ts";

const script = fileURLToPath(new URL("../support/http-fixture.mjs", import.meta.url));
const mebibyte = 2 ** 20;
// So that memory shows what is kept, and not how much room the collector gives itself.
const smallYoungGeneration = "--max-semi-space-size=1";

interface Held {
  readonly heapUsed: number;
  readonly rss: number;
  readonly resources: readonly string[];
}

interface MeasuredServer extends AsyncDisposable {
  readonly pid: number | undefined;
  readonly port: number;
  /** What the process holds after a garbage collection. */
  measure(): Promise<Held>;
}

async function startMeasured(): Promise<MeasuredServer> {
  const child = fork(script, { execArgv: ["--expose-gc", smallYoungGeneration] });
  const receive = async (): Promise<unknown> => (await once(child, "message"))[0];
  const { port } = (await receive()) as { port: number };
  return {
    pid: child.pid,
    port,
    measure: async () => {
      const answer = receive();
      child.send("measure");
      return (await answer) as Held;
    },
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await once(child, "close");
    },
  };
}

/** Runs `work` for 0 … count - 1, so many at once. */
async function inParallel(
  count: number,
  workers: number,
  work: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const runWorker = async (): Promise<void> => {
    while (next < count) await work((next += 1));
  };
  await Promise.all(Array.from({ length: workers }, runWorker));
}

// Scaled: 2,000 calls to warm up and 20,000 to measure, instead of 5,000 and 200,000.
test("keeps nothing of a call that is answered [LK01]", async () => {
  await using server = await startMeasured();
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const call = toolCall("echo", { text: "x".repeat(100) });
  const callOnce = (): Promise<unknown> => postMessage(server.port, call, { agent });
  await inParallel(2000, 64, callOnce);
  const before = await server.measure();
  await inParallel(20_000, 64, callOnce);
  const after = await server.measure();
  expect(after.heapUsed - before.heapUsed).toBeLessThan(5 * mebibyte);
  expect(after.rss).toBeLessThan(1.2 * before.rss);
  expect(after.resources.filter((name) => name !== "TCPSocketWrap").length).toBeLessThanOrEqual(
    before.resources.filter((name) => name !== "TCPSocketWrap").length + 1,
  );
  agent.destroy();
}, 60_000);

// Scaled: 2,000 half requests and 500 GETs instead of 100,000 and 10,000.
test("keeps nothing of connections that end in the middle of a request [LK02]", async () => {
  await using server = await startMeasured();
  const half = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nContent-Length: 1000\r\n\r\n{"jsonrpc"`;
  const leave = async (): Promise<void> => {
    const socket = connect(server.port, "127.0.0.1").on("error", () => undefined);
    socket.write(half, () => socket.destroy());
    await once(socket, "close");
  };
  const get = (): Promise<unknown> =>
    exchange(server.port, { method: "GET", headers: [["Connection", "close"]] });
  await inParallel(200, 32, leave);
  const before = await server.measure();
  await inParallel(2000, 32, leave);
  await inParallel(500, 32, get);
  const openSockets = async (): Promise<number> =>
    (await server.measure()).resources.filter((name) => name === "TCPSocketWrap").length;
  await expect.poll(openSockets, { timeout: 10_000 }).toBe(0);
  expect((await server.measure()).heapUsed - before.heapUsed).toBeLessThan(5 * mebibyte);
}, 60_000);

/** Resident memory of a process in bytes: now (`VmRSS`), or the most it ever had (`VmHWM`). */
function residentBytes(pid: number | undefined, which: "VmRSS" | "VmHWM" = "VmRSS"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${which}:\\s+(\\d+)`).exec(status)?.[1]) * 1024;
}

const long = toolCall("echo", { text: "x".repeat(400_000) });

test.runIf(process.platform === "linux")(
  "holds little more than the body while it arrives in 400,000 HTTP chunks of one byte",
  async () => {
    await using server = await startMeasured();
    await postMessage(server.port, long);
    const before = residentBytes(server.pid);
    const head = [["Host", "127.0.0.1"], ...headersOf(long), ["Transfer-Encoding", "chunked"]];
    const chunks = Array.from(JSON.stringify(long), (character) => `1\r\n${character}\r\n`);
    const lines = head.map(([name, value]) => `${name}: ${value}\r\n`);
    const request = `POST /mcp HTTP/1.1\r\n${lines.join("")}\r\n${chunks.join("")}0\r\n\r\n`;
    expect(statusesOf(await overSocket(server.port, request))).toEqual([200]);
    expect(residentBytes(server.pid, "VmHWM") - before).toBeLessThan(30 * mebibyte);
  },
);

test.runIf(process.platform === "linux")(
  "holds little more than the line while it arrives on stdio in 400,000 writes of one byte",
  async () => {
    await using server = new ServerProcess({}, [smallYoungGeneration]);
    server.write(long);
    await server.take(1);
    const before = residentBytes(server.child.pid);
    const { stdin } = server.child;
    for (const byte of Buffer.from(`${JSON.stringify(long)}\n`)) {
      await new Promise((resolve) => stdin.write(Uint8Array.of(byte), resolve));
    }
    expect((await server.response(1)).result?.isError).toBeUndefined();
    expect(residentBytes(server.child.pid, "VmHWM") - before).toBeLessThan(30 * mebibyte);
  },
  60_000,
);

// Scaled: 50,000 calls instead of a million; memory is compared after the first 10,000.
test.runIf(process.platform === "linux")(
  "accounts for every one of 50,000 calls on one pipe, errors and cancellations included [LK04]",
  async () => {
    await using server = new ServerProcess({}, [smallYoungGeneration]);
    const counts = { answered: 0, refused: 0, cancelled: 0 };
    const step = async (index: number): Promise<void> => {
      const kind = index % 100;
      if (kind === 1) {
        server.write(toolCall("slow", { ms: 60_000 }, index));
        const params = { requestId: index };
        server.write({ jsonrpc: "2.0", method: "notifications/cancelled", params });
        counts.cancelled += 1;
        return;
      }
      server.write(toolCall(kind === 2 ? "nosuch" : "echo", { text: `${index}` }, index));
      const { error, result } = await server.take(index);
      if (error?.code === -32602) counts.refused += 1;
      if (result?.content?.[0]?.text === `${index}`) counts.answered += 1;
    };
    await inParallel(10_000, 16, step);
    const before = residentBytes(server.child.pid);
    await inParallel(40_000, 16, step);
    expect(counts).toEqual({ answered: 49_000, refused: 500, cancelled: 500 });
    expect(residentBytes(server.child.pid)).toBeLessThan(1.2 * before);
    expect(server.messages).toEqual([]);
  },
  60_000,
);
