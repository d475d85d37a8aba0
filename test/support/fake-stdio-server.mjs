// @ts-check
// A server for tests of clients: does what its tools' names say, and the first argument what it does at the start.
import { spawn } from "node:child_process";
import { closeSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";

/** @typedef {{ id: number, method: string, params: Record<string, any> }} Message */

/** @type {Message[]} */
const received = [];
/** @type {Map<number, () => void>} */
const untilCancelled = new Map();

/** @param {string} line */
function writeLine(line) {
  process.stdout.write(`${line}\n`);
}

/**
 * @param {number} id
 * @param {object} result
 */
function answer(id, result) {
  writeLine(JSON.stringify({ jsonrpc: "2.0", id, result: { resultType: "complete", ...result } }));
}

/** @param {unknown} value */
function textOf(value) {
  return { content: [{ type: "text", text: String(value) }] };
}

/** @type {Record<string, (id: number, params: Message["params"]) => void>} */
const tools = {
  echo: (id, params) => answer(id, textOf(params.arguments.text)),
  shuffled: (id, params) =>
    setTimeout(() => answer(id, textOf(params.arguments.text)), Math.random() * 5),
  received: (id) => answer(id, { content: [], structuredContent: received }),
  environment: (id) => answer(id, { content: [], structuredContent: process.env }),
  separators: (id) =>
    writeLine(
      `{"jsonrpc":"2.0","id":${id},"result":{"resultType":"complete","content":[{"type":"text","text":"x\u2028y\u2029z\u0085w"}]}}`,
    ),
  // Answers only once nobody waits for it any more.
  late: (id) => void untilCancelled.set(id, () => answer(id, textOf("late"))),
  noisy: (id, params) => {
    answer(424242, textOf("unknown"));
    answer(id, textOf(params.arguments.text));
    answer(id, textOf("twice"));
    writeLine("not json");
    writeLine("");
  },
  patient: (id, params) => {
    let progress = 0;
    const timer = setInterval(() => {
      progress += 1;
      const { progressToken } = params._meta;
      const update = { progressToken, progress, total: 5 };
      writeLine(
        JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params: update }),
      );
      if (progress < 5) return;
      clearInterval(timer);
      answer(id, textOf("done"));
    }, 100);
  },
  processes: (id) => answer(id, { content: [], structuredContent: [process.pid, grandchild?.pid] }),
  die: () => {
    console.error("going down");
    process.exit(7);
  },
};

/** @param {Message} message */
function receive(message) {
  received.push(message);
  const { id, method, params } = message;
  if (method === "server/discover") {
    answer(id, { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } });
  }
  if (method === "tools/call") tools[params.name]?.(id, params);
  if (method === "notifications/cancelled") untilCancelled.get(params.requestId)?.();
}

/** @type {import("node:child_process").ChildProcess | undefined} */
let grandchild;

/** @type {Record<string, () => void>} */
const starts = {
  "exit-3": () => {
    writeSync(2, "cannot open the database\n");
    process.exit(3);
  },
  mute: () => {
    closeSync(1);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_000);
  },
  flood: () => {
    const chunk = "x".repeat(64 * 1024);
    const pour = () => {
      while (process.stdout.write(chunk));
    };
    process.stdout.on("drain", pour);
    pour();
  },
  // Stays until it is killed, and so does its child.
  stubborn: () => {
    process.on("SIGTERM", () => undefined);
    setInterval(() => undefined, 1000);
    const code = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);";
    grandchild = spawn(process.execPath, ["-e", code], { stdio: "ignore" });
  },
};

starts[process.argv[2] ?? ""]?.();
createInterface(process.stdin).on("line", (line) => receive(JSON.parse(line)));
