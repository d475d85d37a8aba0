import { readFileSync } from "node:fs";
import { PassThrough, Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { serveStdio } from "snodo/stdio";
import { expect, test } from "vitest";
import { createFixture } from "../support/fixture.mjs";
import { toolCall } from "../support/modern.ts";
import { ServerProcess } from "../support/server-process.ts";

const mixed = "é—世界🙂";

function textsOf(server: ServerProcess): readonly unknown[] {
  return server.messages.map(({ result }) => result?.content?.[0]?.text);
}

test("joins a character that was cut between two reads of the pipe [FR01]", async () => {
  await using server = new ServerProcess();
  const line = Buffer.from(`${JSON.stringify(toolCall("echo", { text: mixed }, 7))}\n`);
  const cut = line.indexOf(Buffer.from("🙂")) + 2;
  server.write(line.subarray(0, cut));
  await delay(50);
  server.write(line.subarray(cut));
  const response = await server.response(7);
  expect(response.result?.content?.[0]?.text).toBe(mixed);
  expect(server.lines.join()).not.toContain("\ufffd");
});

test("gives the same answer wherever a message is cut [FR01]", async () => {
  const input = new PassThrough();
  let written = "";
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      written += chunk.toString();
      done();
    },
  });
  const server = await serveStdio(createFixture(), { input, output });
  const line = Buffer.from(`${JSON.stringify(toolCall("echo", { text: mixed }, 7))}\n`);
  for (let cut = 1; cut < line.length; cut += 1) {
    input.write(line.subarray(0, cut));
    input.write(line.subarray(cut));
    await expect.poll(() => written.endsWith("\n"), { interval: 1 }).toBe(true);
    expect(JSON.parse(written)).toMatchObject({ id: 7, result: { content: [{ text: mixed }] } });
    written = "";
  }
  await server.close();
});

test("takes CRLF and LF as line ends and writes LF alone [FR02]", async () => {
  await using server = new ServerProcess();
  server.write(`${JSON.stringify(toolCall("echo", { text: "a" }, 1))}\r\n`);
  server.write(`${JSON.stringify(toolCall("echo", { text: "b" }, 2))}\n`);
  await Promise.all([server.response(1), server.response(2)]);
  expect(textsOf(server)).toEqual(["a", "b"]);
  expect(server.lines.join("")).not.toContain("\r");
});

test("takes U+2028 and U+2029 as characters of a message, not as line ends [FR05]", async () => {
  await using server = new ServerProcess();
  server.write(`${JSON.stringify(toolCall("echo", { text: "p\u2028q\u2029r" }, 1))}\n`);
  const response = await server.response(1);
  expect(response.result?.content?.[0]?.text).toBe("p\u2028q\u2029r");
});

test("answers a line that is not JSON and serves the next one [FR08]", async () => {
  await using server = new ServerProcess();
  server.write('{"jsonrpc":"2.0","id":3,"method":\n');
  server.write(toolCall("echo", { text: "ok" }, 4));
  await server.response(4);
  expect(server.messages[0]).toMatchObject({ error: { code: -32700 } });
  expect(server.messages[0]).not.toHaveProperty("id");
  expect(server.messages).toHaveLength(2);
});

test("answers a peer that uses Content-Length framing and says so on stderr [FR09]", async () => {
  await using server = new ServerProcess();
  server.write("Content-Length: 90\r\n\r\n");
  server.write(toolCall("echo", { text: "ok" }, 5));
  await server.response(5);
  expect(server.messages[0]).toMatchObject({ error: { code: -32700 } });
  expect(server.messages).toHaveLength(2);
  await server.until(() => server.stderr.includes("Content-Length framing") || undefined);
});

test("sends what a tool prints to stderr, so that stdout holds messages only [FR11]", async () => {
  await using server = new ServerProcess();
  server.write(toolCall("noisy", {}, 6));
  await server.response(6);
  expect(server.lines).toHaveLength(1);
  await server.until(() => server.stderr.match(/^noise$/gm)?.length === 3 || undefined);
});

test("writes a large answer whole before it ends at the end of stdin [FR13]", async () => {
  await using server = new ServerProcess();
  server.write(toolCall("big", { bytes: 1_048_576 }, 1));
  server.write(JSON.stringify(toolCall("echo", { text: "no newline at end" }, 2)));
  const startedAt = performance.now();
  server.child.stdin.end();
  expect(await server.exitCode()).toBe(0);
  // Includes the start of the process.
  expect(performance.now() - startedAt).toBeLessThan(5000);
  expect(server.rest).toHaveLength(0);
  const [answer] = server.messages;
  expect(answer).toMatchObject({ id: 1 });
  expect(answer?.result?.content?.[0]?.text).toHaveLength(1_048_576);
});

test("answers a last line without a newline [FR13]", async () => {
  await using server = new ServerProcess();
  server.write(JSON.stringify(toolCall("echo", { text: "no newline at end" }, 2)));
  server.child.stdin.end();
  expect(await server.exitCode()).toBe(0);
  expect(textsOf(server)).toEqual(["no newline at end"]);
});

test("ends within two seconds when its client vanishes with a call in flight [FR14]", async () => {
  await using server = new ServerProcess();
  server.write(toolCall("count", { key: "up" }, 0));
  await server.response(0);
  server.write(toolCall("slow", { ms: 200 }, 1));
  const { stdin, stdout, stderr } = server.child;
  for (const stream of [stdin, stdout, stderr]) stream.destroy();
  const startedAt = performance.now();
  expect(await server.exitCode()).toBeOneOf([0, 1]);
  expect(performance.now() - startedAt).toBeLessThan(2500);
});

// Scaled: the client does not read for one second instead of ten.
test("holds 200 answers of 256 KiB for a client that does not read [FR16]", async () => {
  await using server = new ServerProcess();
  server.write(toolCall("count", { key: "up" }, "up"));
  await server.response("up");
  server.child.stdout.pause();
  for (let id = 0; id < 200; id += 1) server.write(toolCall("big", { bytes: 262_144 }, id));
  await delay(1000);
  if (process.platform === "linux") {
    const status = readFileSync(`/proc/${server.child.pid}/status`, "utf8");
    const residentKiB = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
    expect(residentKiB).toBeLessThan((64 + 100) * 1024);
  }
  server.child.stdout.resume();
  await server.until(() => server.messages.length === 201 || undefined);
  const ids = new Set(server.messages.map(({ id }) => id));
  expect(ids.size).toBe(201);
});

test("writes the answers of 500 simultaneous calls in one piece each [FR17]", async () => {
  await using server = new ServerProcess();
  for (let id = 1; id <= 500; id += 1) {
    server.write(
      id % 2 === 1
        ? toolCall("big", { bytes: 100_000 }, id)
        : toolCall("echo", { text: `${id}` }, id),
    );
  }
  await server.until(() => server.messages.length === 500 || undefined);
  for (const { id, result } of server.messages) {
    const text = result?.content?.[0]?.text;
    expect(Number(id) % 2 === 1 ? text?.length : text).toBe(
      Number(id) % 2 === 1 ? 100_000 : `${id}`,
    );
  }
  expect(new Set(server.messages.map(({ id }) => id)).size).toBe(500);
});
