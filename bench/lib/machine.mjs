// Processes, cores and CPU time. Linux only: `taskset`, `chrt` and /proc.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";

/** Who runs where: what is measured has a core of its own. */
export const core = { load: "0", measured: "1" };

const children = new Set();
process.on("exit", () => children.forEach((child) => child.kill("SIGKILL")));
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    process.stderr.write(`stopped by ${signal}\n`);
    process.exit(1);
  });
}

/** Moves this process to the core for load; what it starts follows unless told otherwise. */
export function pinSelf() {
  execFileSync("taskset", ["-acp", core.load, String(process.pid)], { stdio: "ignore" });
}

/** Starts `command` on a core. It is killed when this process ends. */
export function start(onCore, [file, ...args], options = {}) {
  const env = { ...process.env, NODE_ENV: "production" };
  const child = spawn("taskset", ["-c", onCore, file, ...args], { env, ...options });
  children.add(child);
  child.on("exit", () => children.delete(child));
  return child;
}

/** CPU seconds (user and system) that the threads of a process have used. */
export function cpuSeconds(pid) {
  const threads = readdirSync(`/proc/${pid}/task`);
  const used = threads.map((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8"),
  );
  return used.reduce((sum, text) => sum + Number(text.split(" ")[0]), 0) / 1e9;
}

/** A port on the loopback interface that nobody listens on. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Starts to watch; the function returned says how many cores programs other than ours used. */
export function watchOthers() {
  const [start, before] = [performance.now(), othersSeconds()];
  return () => Math.max(0, ((othersSeconds() - before) * 1000) / (performance.now() - start));
}

const ticksPerSecond = 100;

function othersSeconds() {
  const [, ...ticks] = readFileSync("/proc/stat", "utf8").split("\n", 1)[0].split(/\s+/);
  const [user, nice, system, , , irq, softIrq, steal] = ticks.map(Number);
  const busy = (user + nice + system + irq + softIrq + steal) / ticksPerSecond;
  const self = readFileSync("/proc/self/stat", "utf8").split(") ")[1].split(" ");
  const ended = (Number(self[13]) + Number(self[14])) / ticksPerSecond;
  const running = [process.pid, ...[...children].map((child) => child.pid)];
  return busy - ended - running.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
}

/**
 * Keeps both cores awake with spinners that give way to everything else. A halted core of a virtual
 * machine takes longer to wake than a request takes to answer. Returns the function that stops them.
 */
export function keepAwake() {
  const spin = `while (process.ppid === ${process.pid});`;
  const command = ["chrt", "--idle", "0", process.execPath, "-e", spin];
  const spinners = Object.values(core).map((onCore) =>
    start(onCore, command, { stdio: "ignore", detached: true }),
  );
  for (const { pid } of spinners) lowerGroup(pid);
  return () => spinners.forEach((spinner) => spinner.kill("SIGKILL"));
}

/** In the scheduling group of this process a spinner would use up what the server is entitled to. */
function lowerGroup(pid) {
  const file = `/proc/${pid}/autogroup`;
  if (existsSync(file)) writeFileSync(file, "19");
}

/** Runs `run` and adds to its sample the CPU time in µs that the process used for each of its calls. */
export async function withCpu(pid, run) {
  const before = cpuSeconds(pid);
  const sample = await run();
  return { ...sample, cpuUs: ((cpuSeconds(pid) - before) * 1e6) / sample.count };
}
