// @ts-check
// What the documents show is what the repository holds: a code block after `<!-- file: PATH -->` equals that
// file, docs/limits.md equals the limit table, local links lead somewhere. `--update` writes instead of failing.
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { root } from "./setup.mjs";
import { report } from "./sources.mjs";

const isUpdate = process.argv.includes("--update");
const limitsPage = "docs/limits.md";

/** @type {string[]} */
const problems = [];
await checkLimits();
checkDependencyTable();
const pages = [
  ...markdownIn("."),
  ...markdownIn("docs"),
  ...markdownIn("packages/snodo"),
  ...markdownIn("examples"),
];
for (const page of pages) {
  checkSnippets(page);
  checkLinks(page);
}
report("docs", problems, `${pages.length} pages agree with the code`);

/** @param {string} folder */
function markdownIn(folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => (folder === "." ? name : `${folder}/${name}`));
}

/** @param {string} page */
function checkSnippets(page) {
  const text = read(page);
  const markedCode = /(?<=<!-- file: (\S+) -->\n+```\w*\n)[^]*?(?=```)/g;
  const expected = text.replaceAll(markedCode, (code, path) => {
    if (existsSync(join(root, path))) return read(path);
    problems.push(`${page} shows ${path}, which does not exist`);
    return code;
  });
  settle(page, text, expected);
}

/** @param {string} page */
function checkLinks(page) {
  const prose = read(page).replaceAll(/```[^]*?```/g, "");
  for (const [, target = ""] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^[a-z]+:/.test(target)) continue;
    const [path = "", anchor] = target.split("#");
    const file = path === "" ? page : join(dirname(page), path);
    if (!existsSync(join(root, file)))
      problems.push(`${page} links to ${target}, which does not exist`);
    else if (anchor !== undefined && !anchorsOf(file).has(anchor)) {
      problems.push(`${page} links to ${target}, but that page has no such heading`);
    }
  }
}

/** @param {string} file */
function anchorsOf(file) {
  const headings = read(file).matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\- _]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

async function checkLimits() {
  const { limitTable } = await importTypeScript("packages/snodo/src/core/limits.ts");
  const rows = Object.entries(limitTable).map(
    ([name, row]) =>
      `| \`${name}\` | ${row.what} | ${quantity(row.default, row.unit)} | ${row.refusal} |`,
  );
  const page = [
    "# Limits",
    "",
    "Every server has these limits. Change one with `createServer({ limits: { name: value } })`; times are in",
    "milliseconds, sizes in bytes. This page is generated from `packages/snodo/src/core/limits.ts`.",
    "",
    "| name | of what | default | when it is reached |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
  ].join("\n");
  settle(limitsPage, existsSync(join(root, limitsPage)) ? read(limitsPage) : "", page);
}

/** Every package that a user installs or gets inside ours has a row in the README. */
function checkDependencyTable() {
  const { dependencies } = JSON.parse(read("packages/snodo/package.json"));
  const installed = Object.entries(dependencies).map(([name, version]) => `${name} ${version}`);
  const notices = read("packages/snodo/THIRD-PARTY-NOTICES");
  const bundled = Array.from(notices.matchAll(/^\S+ \d+\.\d+\.\d+$/gm), ([line]) => line);
  for (const row of [...installed, ...bundled]) {
    if (!read("README.md").includes(`| ${row} |`)) {
      problems.push(`README.md has no row "${row}" in its table of dependencies`);
    }
  }
}

/**
 * @param {number} value
 * @param {string} unit
 */
function quantity(value, unit) {
  if (unit === "bytes" && value % 1_048_576 === 0) return `${value / 1_048_576} MiB`;
  if (unit === "bytes" && value % 1024 === 0) return `${value / 1024} KiB`;
  if (unit === "ms" && value % 60_000 === 0) return `${value / 60_000} min`;
  if (unit === "ms" && value % 1000 === 0) return `${value / 1000} s`;
  return unit === "count" || unit === "levels" ? value.toLocaleString("en") : `${value} ${unit}`;
}

/**
 * Loads a source file that has no run-time imports; the oldest Node we support cannot do it itself.
 * @param {string} path
 */
function importTypeScript(path) {
  const { outputText } = ts.transpileModule(read(path), {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 },
  });
  return import(`data:text/javascript,${encodeURIComponent(outputText)}`);
}

/**
 * @param {string} page
 * @param {string} actual
 * @param {string} expected
 */
function settle(page, actual, expected) {
  if (actual === expected) return;
  if (isUpdate) writeFileSync(join(root, page), expected);
  else problems.push(`${page} is out of date; run npm run docs`);
}

/** @param {string} path */
function read(path) {
  return readFileSync(join(root, path), "utf8");
}
