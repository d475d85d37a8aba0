// npm run bench [-- --only CELL,…] [--json FILE] [--rounds N] [--secs N] [--peers] [--generator own]
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { npm, setUp } from "../tools/setup.mjs";
import * as table from "./lib/cells.mjs";
import { pinSelf } from "./lib/machine.mjs";
import { measureCell } from "./lib/measure.mjs";
import { hasWrk } from "./lib/wrk.mjs";
import { renderCell, renderRun } from "./report.mjs";

const folder = fileURLToPath(new URL(".", import.meta.url));
const options = readOptions();
await prepare();
const contenders = await loadContenders();
const results = { ...describeRun(), cells: [] };
pinSelf();
process.stdout.write(`${renderRun(results)}\n`);
for (const cell of options.cells) {
  const measured = await measureCell(cell, contenders, options);
  results.cells.push(measured);
  process.stdout.write(`\n${renderCell(measured, results.titles)}\n`);
  if (options.json === undefined) continue;
  writeFileSync(options.json, `${JSON.stringify(results, null, 1)}\n`);
}
process.exit();

function readOptions() {
  const { values } = parseArgs({
    options: {
      only: { type: "string" },
      contenders: { type: "string" },
      peers: { type: "boolean", default: false },
      json: { type: "string" },
      rounds: { type: "string", default: "3" },
      secs: { type: "string", default: "3" },
      generator: { type: "string", default: hasWrk ? "wrk" : "own" },
    },
  });
  const names = table.cells.map((cell) => cell.name);
  const defaults = values.peers ? [...table.contenders, ...table.peers] : table.contenders;
  return {
    ...values,
    cells: table.cells.filter(({ name }) => choose(values.only, names).includes(name)),
    contenders: choose(values.contenders, [...table.contenders, ...table.peers], defaults),
    rounds: Number(values.rounds),
    seconds: Number(values.secs),
  };
}

/** The names in a list with commas, each of which must be among `known`. */
function choose(list, known, defaults = known) {
  const names = list?.split(",") ?? defaults;
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return names;
  process.stderr.write(`unknown: ${unknown.join(", ")}; known: ${known.join(", ")}\n`);
  process.exit(1);
}

async function prepare() {
  if (options.contenders.some((id) => id.startsWith("snodo"))) await setUp("demo");
  const needsPeers = options.contenders.some((id) => table.peers.includes(id));
  const mark = needsPeers ? "tmcp" : "zod";
  if (existsSync(`${folder}node_modules/${mark}`)) return;
  const [command, first] = npm();
  const args = ["ci", "--no-audit", "--no-fund", "--ignore-scripts"];
  if (!needsPeers) args.push("--omit=dev");
  execFileSync(command, [...first, ...args], { cwd: folder, stdio: ["ignore", 2, 2] });
}

function loadContenders() {
  return Promise.all(
    options.contenders.map(async (id) => ({ id, ...(await import(`./contenders/${id}.mjs`)) })),
  );
}

function describeRun() {
  const packages = ["zod", ...contenders.flatMap((contender) => contender.packages ?? [])];
  const versions = packages.map((name) => [
    name,
    JSON.parse(readFileSync(`${folder}node_modules/${name}/package.json`)).version,
  ]);
  return {
    date: new Date().toISOString(),
    node: process.version,
    cpu: os.cpus()[0].model,
    cores: os.cpus().length,
    kernel: os.release(),
    loadBefore: os.loadavg()[0],
    rounds: options.rounds,
    seconds: options.seconds,
    generator: options.generator,
    titles: Object.fromEntries(contenders.map(({ id, title }) => [id, title])),
    versions: Object.fromEntries(versions),
  };
}
