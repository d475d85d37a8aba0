// node bench/report.mjs RESULTS.json prints the tables; --write FILE puts them between the marks there.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { median } from "./lib/statistics.mjs";

const marks = ["<!-- numbers -->\n", "<!-- /numbers -->"];

/** One line about the machine and one about the versions. */
export function renderRun(run) {
  const versions = Object.entries(run.versions).map(([name, version]) => `${name} ${version}`);
  const generator = run.generator === "wrk" ? "wrk" : "the own generator";
  const how = `${run.rounds} rounds of ${run.seconds} s, load from ${generator}`;
  const where = `Node ${run.node.slice(1)}, ${run.cores} × ${run.cpu}, Linux ${run.kernel}`;
  return `${run.date.slice(0, 10)}, ${where}, ${how}.\nVersions: ${versions.join(", ")}.`;
}

/** The table of one cell, cheapest first, and what disturbed or dropped anybody. */
export function renderCell(cell, titles) {
  const columns = isStart(cell) ? startColumns(cell) : rateColumns(cell);
  const rows = Object.entries(cell.samples).sort(([, a], [, b]) => cost(a) - cost(b));
  const table = [
    toRow(
      "contender",
      columns.map(({ head }) => head),
    ),
    toRow(
      "---",
      columns.map(() => "---:"),
    ),
    ...rows.map(([id, samples]) =>
      toRow(
        titles[id],
        columns.map(({ show }) => show(samples)),
      ),
    ),
  ];
  const notes = Object.entries(cell.dropped).map(([id, why]) => `Dropped: ${titles[id]} (${why}).`);
  const others = middle(Object.values(cell.samples).flat(), "others");
  notes.push(`Other programs used ${toFixed(others, 2)} cores.`);
  return [`### ${cell.name}: ${cell.title}`, table.join("\n"), notes.join("\n")].join("\n\n");
}

const toRow = (first, rest) => `| ${[first, ...rest].join(" | ")} |`;
const isStart = ({ kind }) => kind === "start" || kind === "import";
const middle = (samples, key) => median(samples.map((sample) => sample[key]));
const cost = (samples) => middle(samples, "ms" in samples[0] ? "ms" : "cpuUs");

function rateColumns({ samples: all }) {
  const versus = (id) => (samples) =>
    toRatio(pairwise(samples, all[id], (a, b) => a.rate / b.rate));
  return [
    {
      head: "per second",
      show: (samples) => Math.round(middle(samples, "rate")).toLocaleString("en"),
    },
    { head: "× raw", show: versus("raw") },
    { head: "× ideal", show: versus("ideal") },
    { head: "× official v2", show: versus("official-v2") },
    { head: "CPU µs", show: (samples) => toFixed(middle(samples, "cpuUs"), 1) },
    { head: "p50 ms", show: (samples) => toDigits(middle(samples, "p50")) },
    { head: "p99 ms", show: (samples) => toDigits(middle(samples, "p99")) },
  ].filter(({ head }) => head !== "× ideal" || all.ideal !== undefined);
}

function startColumns({ samples: all }) {
  const over = (samples, key) => pairwise(samples, all.raw, (a, b) => a[key] - b[key]);
  const ratio = (samples) => over(samples, "ms") / over(all["official-v2"] ?? [], "ms");
  return [
    { head: "ms", show: (samples) => toFixed(middle(samples, "ms"), 0) },
    { head: "ms over raw", show: (samples) => toFixed(over(samples, "ms"), 1) },
    { head: "CPU ms over raw", show: (samples) => toFixed(over(samples, "cpuMs"), 1) },
    { head: "× official v2 (over raw)", show: (samples) => toRatio(ratio(samples)) },
  ];
}

/** The median over the rounds of what `compare` says about two contenders in one round. */
function pairwise(samples, base = [], compare) {
  const pairs = samples.slice(0, base.length).map((sample, round) => compare(sample, base[round]));
  return median(pairs);
}

const toFixed = (value, digits) => (Number.isFinite(value) ? value.toFixed(digits) : "–");
const toDigits = (value) =>
  Number(value.toPrecision(3)).toLocaleString("en", { maximumFractionDigits: 6 });
const toRatio = (value) => toFixed(value, value >= 10 ? 1 : 2);

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { write: { type: "string" } },
  });
  const run = JSON.parse(readFileSync(positionals[0], "utf8"));
  const text = [renderRun(run), ...run.cells.map((cell) => renderCell(cell, run.titles))].join(
    "\n\n",
  );
  if (values.write === undefined) {
    process.stdout.write(`${text}\n`);
  } else {
    const [before, rest] = readFileSync(values.write, "utf8").split(marks[0]);
    const after = rest.split(marks[1])[1];
    writeFileSync(values.write, `${before}${marks[0]}\n${text}\n\n${marks[1]}${after}`);
  }
}
