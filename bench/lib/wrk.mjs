// The same load as the own generator makes, from wrk where that is installed.
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { core, start } from "./machine.mjs";

/** Whether wrk is installed. */
export const hasWrk = spawnSync("wrk", ["-v"]).error === undefined;

/** Loads `url` over `connections` connections for `seconds` (a whole number) and returns the sample. */
export async function runWrk({ url, head, body, connections, seconds }) {
  const folder = mkdtempSync(join(tmpdir(), "snodo-bench-"));
  const script = join(folder, "request.lua");
  writeFileSync(script, toLua(head, body));
  const load = [`-c${connections}`, `-d${seconds}s`, "-t1", "--timeout", "20s"];
  const child = start(core.load, ["wrk", ...load, "-s", script, url]);
  const [output] = await Promise.all([text(child.stdout), once(child, "close")]);
  rmSync(folder, { recursive: true });
  const line = /^sample (.*)$/m.exec(output)?.[1];
  if (line === undefined) throw new Error(`wrk: ${output}`);
  const { errors, ...sample } = JSON.parse(line);
  if (errors > 0) throw new Error(`wrk: ${errors} requests failed`);
  return { ...sample, rate: sample.count / sample.seconds };
}

function toLua(head, body) {
  const lines = Object.entries(head).map(([name, value]) => `wrk.headers["${name}"] = "${value}"`);
  return `wrk.method = "POST"
wrk.body = [==[${body}]==]
${lines.join("\n")}
function done(summary, latency)
  local e = summary.errors
  local errors = e.connect + e.read + e.write + e.status + e.timeout
  local line = 'sample {"count":%d,"seconds":%f,"errors":%d,"p50":%f,"p99":%f}\\n'
  local p50, p99 = latency:percentile(50) / 1e3, latency:percentile(99) / 1e3
  io.write(line:format(summary.requests, summary.duration / 1e6, errors, p50, p99))
end
`;
}
