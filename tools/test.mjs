// @ts-check
// `npm test`: sets up, then runs the stages below in order and stops at the first that fails.
// `-- --only NAME` (a stage or "check", repeatable or comma-separated) runs a part; `-- --list` names the stages.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, styleText } from "node:util";
import { root, setUp } from "./setup.mjs";

/**
 * @typedef {object} Stage
 * @property {string} name
 * @property {boolean} [isCheck] Static: part of `npm run check`.
 * @property {readonly (readonly string[])[]} [commands] Arguments for node.
 * @property {string} [project] A vitest project instead of commands.
 */

const env = process.stdout.isTTY
  ? process.env
  : { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0" };
const tsc = ["node_modules/typescript7/bin/tsc", "--noEmit", "-p"];

/** @type {readonly Stage[]} */
const stages = [
  {
    name: "types",
    isCheck: true,
    commands: [
      [...tsc, "packages/snodo/tsconfig.json"],
      [...tsc, "packages/snodo/tsconfig.portable.json"],
      [...tsc, "tsconfig.json"],
      [...tsc, "test/types/tsconfig.json"],
    ],
  },
  {
    name: "lint",
    isCheck: true,
    commands: [["node_modules/oxlint/bin/oxlint", "--type-aware", "--deny-warnings"]],
  },
  { name: "format", isCheck: true, commands: [["node_modules/oxfmt/bin/oxfmt", "--check"]] },
  { name: "layers", isCheck: true, commands: [["tools/check-layers.mjs"]] },
  { name: "sizes", isCheck: true, commands: [["tools/check-sizes.mjs"]] },
  { name: "api", isCheck: true, commands: [["tools/check-api.mjs"]] },
  { name: "comments", isCheck: true, commands: [["tools/check-comments.mjs"]] },
  { name: "docs", isCheck: true, commands: [["tools/check-docs.mjs"]] },
  { name: "entered", isCheck: true, commands: [["tools/check-entered.mjs"]] },
  { name: "types-budget", isCheck: true, commands: [["tools/check-types-budget.mjs"]] },
  { name: "vitest", project: "vitest" },
  { name: "packaging", project: "packaging" },
  { name: "interop", project: "interop" },
  { name: "conformance", project: "conformance" },
];

const { values } = parseArgs({
  options: { only: { type: "string", multiple: true }, list: { type: "boolean" } },
});
const chosen = chooseStages(values.only ?? []);
if (values.list === true) {
  process.stdout.write(stages.map((stage) => `${stage.name}\n`).join(""));
} else {
  process.exitCode = await main();
}

async function main() {
  try {
    await setUp("all");
  } catch (error) {
    process.stdout.write(
      `set-up failed: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    return summary(0, 1);
  }
  return runStages(chosen);
}

/**
 * Prints the last line and gives the exit code.
 * @param {number} passed
 * @param {number} failed
 */
function summary(passed, failed) {
  process.stdout.write(`tests: ${passed} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
}

/** @param {readonly string[]} filters */
function chooseStages(filters) {
  const names = filters.flatMap((filter) => filter.split(","));
  const unknown = names.filter(
    (name) => name !== "check" && !stages.some((stage) => stage.name === name),
  );
  if (unknown.length > 0) {
    process.stderr.write(`no stage is called ${unknown.join(", ")}; --list names them\n`);
    process.exit(2);
  }
  if (names.length === 0) return stages;
  return stages.filter(
    (stage) => names.includes(stage.name) || (stage.isCheck === true && names.includes("check")),
  );
}

/** @param {readonly Stage[]} list */
function runStages(list) {
  const total = { passed: 0, failed: 0 };
  for (const stage of list) {
    const start = performance.now();
    const { passed, failed } =
      stage.project === undefined ? runCommands(stage) : runVitest(stage.project);
    total.passed += passed;
    total.failed += failed;
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    process.stdout.write(`${mark(failed === 0)} ${stage.name} (${seconds} s)\n`);
    if (failed > 0) {
      process.stdout.write(
        `stopped: ${stage.name} failed; repeat it with: npm test -- --only ${stage.name}\n`,
      );
      break;
    }
  }
  return summary(total.passed, total.failed);
}

/**
 * A failing check counts as one failed test; a passing one counts nothing.
 * @param {Stage} stage
 */
function runCommands(stage) {
  for (const args of stage.commands ?? []) {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: root,
      env,
      encoding: "utf8",
    });
    if (status === 0) continue;
    process.stdout.write(`${stdout}${stderr}`);
    return { passed: 0, failed: 1 };
  }
  return { passed: 0, failed: 0 };
}

/** @param {string} project */
function runVitest(project) {
  const folder = mkdtempSync(join(tmpdir(), "snodo-test-"));
  const report = join(folder, "report.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const args = ["node_modules/vitest/vitest.mjs", "run", "--project", project, ...reporters];
  try {
    const { status } = spawnSync(process.execPath, args, {
      cwd: root,
      env,
      stdio: ["ignore", "inherit", "inherit"],
    });
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, "utf8"));
    // A file that cannot be loaded or an unhandled rejection fails the run without a failed test.
    return { passed: numPassedTests, failed: status === 0 ? 0 : Math.max(1, numFailedTests) };
  } catch (error) {
    process.stdout.write(`vitest gave no report: ${String(error)}\n`);
    return { passed: 0, failed: 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {boolean} isGood */
function mark(isGood) {
  const word = isGood ? "ok  " : "FAIL";
  return process.stdout.isTTY ? styleText(isGood ? "green" : "red", word) : word;
}
