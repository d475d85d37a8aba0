// node bench/profile.mjs [CELL] [--contender NAME] [--secs N] [--top N] [--max N]: where the time goes in
// one HTTP or stdio cell, and how many functions of the library one call enters (exit code 1 when over
// --max).
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { cells } from "./lib/cells.mjs";
import { pinSelf } from "./lib/machine.mjs";
import { kinds, nextMessage } from "./lib/subjects.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    contender: { type: "string", default: "snodo" },
    secs: { type: "string", default: "5" },
    top: { type: "string", default: "30" },
    max: { type: "string", default: "45" },
  },
});
const [name = "http-32"] = positionals;
const cell = cells.find((each) => each.name === name);
if (cell?.kind !== "http" && cell?.kind !== "stdio") {
  throw new TypeError(`expected an HTTP or stdio cell, got "${name}"`);
}
const special = {
  "(garbage collector)": "garbage collection",
  "(program)": "native code",
  "(idle)": "idle",
};
const profilerItself = "dispatch";
const once = { seconds: 60, count: 1 };
const contender = {
  id: values.contender,
  ...(await import(`./contenders/${values.contender}.mjs`)),
};
pinSelf();
await profileTime();
await countEntries();
process.exit();

async function withSubject(options, action) {
  const load = { ...cell, generator: "own", ...options };
  const subject = await kinds[cell.kind].open(load, contender);
  const inspect = (method, params) => {
    subject.child.send({ method, params });
    return nextMessage(subject.child);
  };
  try {
    await inspect("Profiler.enable");
    await action(subject, inspect);
  } finally {
    await subject.close();
  }
}

/** Self time by group and by function, without the warm-up. */
function profileTime() {
  return withSubject({}, async (subject, inspect) => {
    await subject.sample(once, { seconds: 60, count: 20_000 });
    await inspect("Profiler.setSamplingInterval", { interval: 200 });
    await inspect("Profiler.start");
    const { rate, cpuUs } = await subject.sample(once, { seconds: Number(values.secs) });
    const { profile } = await inspect("Profiler.stop");
    const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
    const parts = profile.samples.map((id, index) => [frames.get(id), profile.timeDeltas[index]]);
    const busy = parts.filter(([frame]) => groupOf(frame) !== "idle");
    print(`${name}: ${Math.round(rate)} per second, ${cpuUs.toFixed(1)} µs CPU each, profiler on`);
    printShares("Self time by group", busy, groupOf);
    printShares("Self time by function", busy, labelOf);
  });
}

function printShares(title, parts, keyOf) {
  const sums = new Map();
  let total = 0;
  for (const [frame, time] of parts) {
    sums.set(keyOf(frame), (sums.get(keyOf(frame)) ?? 0) + time);
    total += time;
  }
  print(`\n${title}`);
  for (const [key, time] of top(sums)) {
    print(`${((time / total) * 100).toFixed(1).padStart(6)} %  ${key}`);
  }
}

/** How often each of the library's own functions is called per request, one request after the other. */
function countEntries() {
  return withSubject({ inFlight: 1 }, async (subject, inspect) => {
    await subject.sample(once, once);
    await inspect("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    const { count } = await subject.sample(once, { seconds: 60, count: 999 });
    const { result } = await inspect("Profiler.takePreciseCoverage");
    const entered = [];
    for (const { url, functions } of result.filter(isOwn)) {
      const source = readFileSync(new URL(url), "utf8");
      for (const { functionName, ranges } of functions) {
        const { startOffset } = ranges[0];
        const perCall = ranges[0].count / (count + 1);
        const lineNumber = source.slice(0, startOffset).split("\n").length - 1;
        // V8 counts an asynchronous function again each time it goes on after an await.
        const isAsync = source.startsWith("async", startOffset);
        if (perCall < 0.5) continue;
        const key = labelOf({ functionName, url, lineNumber });
        entered.push([key, isAsync ? 1 : Math.round(perCall)]);
      }
    }
    const total = entered.reduce((sum, [, times]) => sum + times, 0);
    print(
      `\nOwn functions per call: ${entered.length} entered (at most ${values.max}), ${total} times`,
    );
    for (const [key, times] of top(entered)) print(`${String(times).padStart(8)}  ${key}`);
    if (entered.length > Number(values.max)) process.exitCode = 1;
  });
}

function isOwn(script) {
  return contender.packages?.includes(groupOf(script));
}

function top(sums) {
  return [...sums].sort(([, a], [, b]) => b - a).slice(0, Number(values.top));
}

function groupOf({ functionName, url }) {
  if (Object.hasOwn(special, functionName)) return special[functionName];
  if (url === "" && functionName === profilerItself) return "idle";
  if (url === "") return "natives called from JavaScript";
  if (url.startsWith("node:")) return "node";
  if (url.includes("/packages/snodo/")) return "snodo";
  return /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? "benchmark";
}

function labelOf({ functionName, url, lineNumber }) {
  const place = url === "" ? "" : `  ${url.slice(url.lastIndexOf("/") + 1)}:${lineNumber + 1}`;
  return `${functionName || "(anonymous)"}${place}`;
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
