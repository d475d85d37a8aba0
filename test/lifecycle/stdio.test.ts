import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { createServer, tool } from "snodo";
import { serveStdio } from "snodo/stdio";
import { expect, test } from "vitest";
import { toolCall } from "../support/modern.ts";

const fixture = fileURLToPath(new URL("../support/stdio-fixture.mjs", import.meta.url));

test("ends when its parent process dies, even while somebody else holds the pipe", async () => {
  const code = `
    const { spawn } = require("node:child_process");
    const child = spawn(process.execPath, [process.argv[1], "{}"], { stdio: "inherit" });
    process.stderr.write(String(child.pid) + "\\n");
    setTimeout(() => process.exit(0), 1000);`;
  const parent = spawn(process.execPath, ["-e", code, fixture], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  const [text] = (await once(parent.stderr, "data")) as [Buffer];
  const pid = Number.parseInt(text.toString(), 10);
  const answered = once(createInterface(parent.stdout), "line");
  parent.stdin.write(`${JSON.stringify(toolCall("echo", { text: "up" }))}\n`);
  await answered;
  await once(parent, "exit");
  await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
  parent.stdin.destroy();
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function serveOnPipes(call: () => unknown, limits: object = {}) {
  const input = new PassThrough();
  const output = new PassThrough();
  const server = createServer({
    name: "pipes",
    version: "1",
    limits,
    tools: [tool({ name: "act", call: call as () => string })],
  });
  return { input, output, serving: serveStdio(server, { input, output }) };
}

test("serves streams of its caller without touching the process", async () => {
  const { write } = process.stdout;
  const { input, output, serving } = serveOnPipes(() => "done");
  const server = await serving;
  expect(process.stdout.write).toBe(write);
  input.write(`${JSON.stringify(toolCall("act"))}\n`);
  const [line] = (await once(output, "data")) as [Buffer];
  expect(JSON.parse(line.toString())).toMatchObject({
    id: 1,
    result: { content: [{ text: "done" }] },
  });
  input.end();
  await server.closed;
});

test("answers what is in flight when it is closed", async () => {
  let finish: (value: string) => void = () => {};
  const { input, output, serving } = serveOnPipes(
    () => new Promise<string>((resolve) => (finish = resolve)),
  );
  const server = await serving;
  input.write(`${JSON.stringify(toolCall("act"))}\n`);
  await expect.poll(() => finish.length).toBe(1);
  const closing = server.close();
  finish("late but whole");
  await closing;
  expect(String(output.read())).toContain("late but whole");
});

test("gives up on a handler that does not end within eofDrainMs", async () => {
  const { input, output, serving } = serveOnPipes(() => new Promise(() => {}), { eofDrainMs: 30 });
  const server = await serving;
  input.end(`${JSON.stringify(toolCall("act"))}\n`);
  await server.closed;
  expect(output.read()).toBeNull();
});

test("takes a limit of its own for a tool and tells which limit it was", async () => {
  const slow = tool({ name: "slow", timeoutMs: 20, call: () => new Promise<string>(() => {}) });
  const server = createServer({ name: "limits", version: "1", tools: [slow] });
  const { call } = await import("../contract/call.ts");
  const response = await call(server, "slow");
  expect([response.result.isError, response.text]).toEqual([true, "Not finished within 20 ms"]);
});
