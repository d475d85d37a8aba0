import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { CallResult } from "../../client/decode-result.ts";
import type { ClientWarning } from "../../client/options.ts";
import type { ReceivedMessage } from "../../../../../test/support/fake-http-server.ts";
import { connect } from "../connect-node.ts";
import type { ConnectOptions } from "../connect.ts";
import type { StdioTarget } from "../connect-target.ts";

const script = fileURLToPath(
  new URL("../../../../../test/support/fake-stdio-server.mjs", import.meta.url),
);

function fake(start: string = "", target: Partial<StdioTarget> = {}): StdioTarget {
  return { command: process.execPath, args: [script, start], ...target };
}

async function connectToFake(options: ConnectOptions = {}): ReturnType<typeof connect> {
  return connect(fake(), options);
}

function textOf(result: CallResult): unknown {
  const [block] = result.content;
  return block?.type === "text" ? block.text : undefined;
}

async function receivedBy(client: Awaited<ReturnType<typeof connect>>): Promise<ReceivedMessage[]> {
  const { structuredContent } = await client.callTool("received");
  return structuredContent as unknown as ReceivedMessage[];
}

test("splits lines at LF only [FR04]", async () => {
  await using client = await connectToFake();

  expect(textOf(await client.callTool("separators"))).toBe("x\u2028y\u2029z\u0085w");
});

test("gives up a server that never ends its line, without keeping the bytes [FR06]", async () => {
  const before = process.memoryUsage().rss;

  const connecting = connect(fake("flood"), { onWarning: () => {} });

  await expect(connecting).rejects.toMatchObject({
    name: "ClientError",
    reason: "too-large",
    message: expect.stringContaining("maxResponseBytes"),
  });
  expect(process.memoryUsage().rss - before).toBeLessThan(96 * 1024 * 1024);
});

test("names exit code and stderr of a server that dies at the start, each time [FR18]", async () => {
  const stray: unknown[] = [];
  const onStray = (error: unknown): number => stray.push(error);
  process.on("unhandledRejection", onStray).on("uncaughtException", onStray);

  for (let round = 0; round < 10; round += 1) {
    const attempts = Array.from({ length: 5 }, () => connect(fake("exit-3")));
    for (const attempt of await Promise.allSettled(attempts)) {
      expect(attempt).toMatchObject({
        status: "rejected",
        reason: {
          reason: "closed",
          message: expect.stringMatching(/exit code 3; stderr: cannot open the database$/),
        },
      });
    }
  }
  process.off("unhandledRejection", onStray).off("uncaughtException", onStray);
  expect(stray).toEqual([]);
});

test("names the command that cannot be started", async () => {
  await expect(connect({ command: "no-such-program-here" })).rejects.toMatchObject({
    reason: "spawn",
    outcome: "none",
    message: expect.stringContaining("no-such-program-here"),
  });
});

test("gives each of 10,000 parallel calls its own answer [JR11]", async () => {
  await using client = await connectToFake();
  const texts = Array.from({ length: 10_000 }, (_, index) => `call ${index}`);

  const results = await Promise.all(texts.map((text) => client.callTool("shuffled", { text })));

  expect(results.map(textOf)).toEqual(texts);
  const ids = (await receivedBy(client)).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test("reports responses that nobody waits for, and goes on [JR24]", async () => {
  const warnings: ClientWarning[] = [];
  await using client = await connectToFake({ onWarning: (warning) => warnings.push(warning) });

  for (let index = 0; index < 100; index += 1) {
    const result = await client.callTool("noisy", { text: String(index) });
    expect(textOf(result)).toBe(String(index));
  }
  await client.callTool("echo", { text: "last" });

  const kinds = warnings.map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === "unexpected-message")).toHaveLength(200);
  expect(kinds.filter((kind) => kind === "unreadable-message")).toHaveLength(100);
});

test("cancels once when the caller or the time ends a call, and ignores late answers [CA06]", async () => {
  const warnings: ClientWarning[] = [];
  await using client = await connectToFake({ onWarning: (warning) => warnings.push(warning) });
  const controller = new AbortController();
  const reason = new Error("changed my mind");

  const aborted = client.callTool("late", {}, { signal: controller.signal });
  setTimeout(() => controller.abort(reason), 100);
  await expect(aborted).rejects.toBe(reason);
  const timedOut = client.callTool("late", {}, { timeoutMs: 100 });
  await expect(timedOut).rejects.toMatchObject({
    reason: "timeout",
    outcome: "unknown",
    message: expect.stringContaining("timeoutMs"),
  });

  expect(textOf(await client.callTool("echo", { text: "fine" }))).toBe("fine");
  const messages = await receivedBy(client);
  const late = messages.filter(({ params }) => params.name === "late").map(({ id }) => id);
  const cancelled = messages.filter(({ method }) => method === "notifications/cancelled");
  expect(cancelled.map(({ params }) => params)).toEqual(late.map((requestId) => ({ requestId })));
  expect(warnings.map(({ message }) => message)).toEqual(
    late.map((id) => `The server wrote a response for request ${id}, which nobody waits for`),
  );
});

test("sends nothing for a call that was aborted before", async () => {
  await using client = await connectToFake();

  const call = client.callTool("echo", { text: "x" }, { signal: AbortSignal.abort("never mind") });

  await expect(call).rejects.toBe("never mind");
  const methods = (await receivedBy(client)).map(({ method }) => method);
  expect(methods).toEqual(["server/discover", "tools/call"]);
});

test("lets progress extend a call that has no onProgress [PR02]", async () => {
  await using client = await connectToFake();

  expect(textOf(await client.callTool("patient", {}, { timeoutMs: 300 }))).toBe("done");
});

test("hands progress over", async () => {
  await using client = await connectToFake();
  const seen: unknown[] = [];

  await client.callTool("patient", {}, { onProgress: (progress) => seen.push(progress) });

  expect(seen).toEqual([1, 2, 3, 4, 5].map((progress) => ({ progress, total: 5 })));
});

test("rejects what is in flight when the server dies, and everything after", async () => {
  await using client = await connectToFake();
  const message = expect.stringMatching(/exit code 7; stderr: going down$/);

  const calls = await Promise.allSettled([client.callTool("late"), client.callTool("die")]);

  for (const call of calls) {
    expect(call).toMatchObject({ reason: { reason: "closed", outcome: "unknown", message } });
  }
  await expect(client.callTool("echo")).rejects.toMatchObject({
    reason: "closed",
    outcome: "none",
    message,
  });
});

test("gives up a server that closes its output and stays", async () => {
  await expect(connect(fake("mute"))).rejects.toMatchObject({
    reason: "closed",
    message: expect.stringMatching(/ closed its output$/),
  });
});

test.skipIf(process.platform === "win32")(
  "leaves no process behind, however stubborn",
  async () => {
    const client = await connect(fake("stubborn"));
    const { structuredContent } = await client.callTool("processes");

    await client.close();

    for (const pid of structuredContent as number[]) {
      expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    }
  },
);

test.each([
  ["safe", { PATH: process.env["PATH"], EXTRA: "1" }],
  ["all", { PATH: process.env["PATH"], EXTRA: "1", SNODO_SECRET: "s" }],
  ["none", { EXTRA: "1" }],
] as const)("starts a server with the environment %s", async (inheritEnv, expected) => {
  process.env["SNODO_SECRET"] = "s";
  await using client = await connect(fake("", { inheritEnv, env: { EXTRA: "1" } }));

  const { structuredContent } = await client.callTool("environment");

  const { PATH, EXTRA, SNODO_SECRET } = structuredContent as Record<string, string | undefined>;
  expect({ PATH, EXTRA, SNODO_SECRET }).toEqual({
    PATH: undefined,
    SNODO_SECRET: undefined,
    ...expected,
  });
});

test("lets a stderr function that throws or rejects change nothing", async () => {
  const stray: unknown[] = [];
  const onStray = (error: unknown): number => stray.push(error);
  process.on("unhandledRejection", onStray).on("uncaughtException", onStray);
  const failing = [
    () => {
      throw new Error("thrown");
    },
    async () => {
      throw new Error("rejected");
    },
  ];

  for (const stderr of failing) {
    await expect(connect(fake("exit-3", { stderr }))).rejects.toMatchObject({ reason: "closed" });
  }

  process.off("unhandledRejection", onStray).off("uncaughtException", onStray);
  expect(stray).toEqual([]);
});

test("keeps the lines of stderr in the message, without control characters", async () => {
  const code = String.raw`console.error("no\n  at \x1b[2Jmain"); process.exitCode = 4;`;

  await expect(connect({ command: process.execPath, args: ["-e", code] })).rejects.toMatchObject({
    message: expect.stringMatching(/exit code 4; stderr: no\n {2}at \\u\{1b\}\[2Jmain$/),
  });
});

test("gives stderr to a function", async () => {
  let stderr = "";
  const target = fake("exit-3", { stderr: (text) => (stderr += text) });

  await expect(connect(target)).rejects.toMatchObject({ reason: "closed" });

  expect(stderr).toBe("cannot open the database\n");
});
