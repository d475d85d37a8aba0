// One running contender of a cell. `sample(warmUp, load)` measures once, `close()` ends its process
// (`child`, where it answers the inspector); opening throws unless the contender gives the right answer.
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { encodeRequest, openConnections } from "./connections.mjs";
import { core, cpuSeconds, freePort, start, withCpu } from "./machine.mjs";
import { openPipe } from "./pipe.mjs";
import {
  checkAnswer,
  handshake,
  headers,
  message,
  modern,
  parseBody,
  requests,
} from "./workload.mjs";
import { runWrk } from "./wrk.mjs";

const host = fileURLToPath(new URL("../host.mjs", import.meta.url));
const withChannel = { stdio: ["ignore", "ignore", "inherit", "ipc"] };
const withPipes = { stdio: ["pipe", "pipe", "ignore"] };
const withBoth = { stdio: ["pipe", "pipe", "ignore", "ipc"] };

/** How each kind of cell is opened, and what a contender must export to take part. */
export const kinds = {
  http: { role: "http", open: openHttp },
  stdio: { role: "stdio", open: openStdio },
  inProcess: { role: "inProcess", open: openInProcess },
  client: { role: "client", open: openClient },
  start: { role: "stdio", open: openStart },
  import: { role: "entry", open: openImport },
};

/** Starts a contender in a role. */
export function startHost(onCore, [contender, ...args], options) {
  return start(onCore, [process.execPath, host, contender, ...args.map(String)], options);
}

/** Starts the HTTP server of a contender and returns its process and URL. */
export async function startHttp(onCore, contender, tools) {
  const port = await freePort();
  const child = startHost(onCore, [contender, "http", tools, port], withChannel);
  await nextMessage(child);
  return { child, url: `http://127.0.0.1:${port}/mcp` };
}

/** What a process says next over its channel; rejects when it ends first. */
export function nextMessage(child) {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error("the process ended"));
    child.once("exit", onExit);
    child.once("message", (said) => {
      child.off("exit", onExit);
      resolve(said);
    });
  });
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

async function openHttp({ request: name, tools, inFlight, generator }, { id, revision }) {
  const { child, url } = await startHttp(core.measured, id, tools);
  const request = requests[name];
  const head = headers(request, revision);
  const body = JSON.stringify(message(request, revision));
  const answer = await fetch(url, { method: "POST", headers: head, body });
  checkAnswer(request, tools, parseBody(answer.headers.get("content-type"), await answer.text()));
  const bytes = encodeRequest(url, head, body);
  return {
    child,
    async sample(warmUp, load) {
      const connections = await openConnections(url, bytes, inFlight);
      try {
        await connections.run(warmUp);
        if (generator === "own") return await withCpu(child.pid, () => connections.run(load));
      } finally {
        connections.close();
      }
      const job = { url, head, body, connections: inFlight, seconds: Math.ceil(load.seconds) };
      return withCpu(child.pid, () => runWrk(job));
    },
    close: () => stop(child),
  };
}

async function openStdio({ tools, inFlight }, contender) {
  const child = startHost(core.measured, [contender.id, "stdio", tools], withBoth);
  const pipe = await openChecked(child, requests.echo, { tools, contender });
  const line = message(requests.echo, contender.revision);
  return {
    child,
    async sample(warmUp, load) {
      await pipe.run(line, { ...warmUp, inFlight });
      return withCpu(child.pid, () => pipe.run(line, { ...load, inFlight }));
    },
    close: () => stop(child),
  };
}

/** Does the handshake of older revisions and checks one answer. */
async function openChecked(child, request, { tools, contender: { revision } }) {
  const pipe = openPipe(child);
  if (revision !== modern) {
    const { initialize, initialized } = handshake(revision);
    await pipe.request(initialize);
    pipe.send(initialized);
  }
  checkAnswer(request, tools, await pipe.request(message(request, revision)));
  return pipe;
}

async function openLoop(args, inFlight) {
  const child = startHost(core.measured, args, withChannel);
  checkAnswer(requests.echo, 1, await nextMessage(child));
  const run = (load) => {
    child.send({ ...load, inFlight });
    return nextMessage(child);
  };
  return {
    async sample(warmUp, load) {
      await run(warmUp);
      return withCpu(child.pid, () => run(load));
    },
    close: () => stop(child),
  };
}

function openInProcess({ inFlight }, { id }) {
  return openLoop([id, "inProcess"], inFlight);
}

async function openClient({ inFlight }, { id }) {
  const server = await startHttp(core.load, "raw", 1);
  const loop = await openLoop([id, "client", server.url, inFlight], inFlight);
  return { ...loop, close: () => Promise.all([loop.close(), stop(server.child)]) };
}

function openStart({ tools }, contender) {
  const args = [contender.id, "stdio", tools];
  return openStarts(args, (child) => openChecked(child, requests.list, { tools, contender }));
}

function openImport(_cell, { id }) {
  return openStarts([id, "import"], (child) => openPipe(child).nextMessage());
}

/** Each sample is a process that is started and, when `isReady` resolves, killed. */
async function openStarts(args, isReady) {
  const sample = async () => {
    const begin = performance.now();
    const child = startHost(core.measured, args, withPipes);
    try {
      await isReady(child);
      return { ms: performance.now() - begin, cpuMs: cpuSeconds(child.pid) * 1000 };
    } finally {
      await stop(child);
    }
  };
  await sample();
  return { sample, async close() {} };
}
