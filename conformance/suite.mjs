// @ts-check
// Starts the fixture server and runs single scenarios of the official suite against it.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const revision = "2026-07-28";
const timeoutMs = 60_000;
const preload = new URL("node20.mjs", import.meta.url).href;
const command = pathTo("../node_modules/@modelcontextprotocol/conformance/dist/index.js");

/** The file that says what each scenario must give. */
export const expectedFile = pathTo("expected.json");

/**
 * One check as the suite reports it.
 * @typedef {{ id: string, status: string, description: string, errorMessage?: string }} Check
 */

/**
 * The statuses of a scenario's checks by id; a check that is made several times has several.
 * @typedef {Record<string, string>} Summary
 */

/** @returns {Promise<Record<string, Summary>>} */
export async function readExpected() {
  return JSON.parse(await readFile(expectedFile, "utf8"));
}

/** Starts the built fixture on a free port. */
export async function startFixture() {
  const child = spawn(process.execPath, [pathTo("dist/server.js"), "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exit = once(child, "exit");
  /** @type {unknown[]} */
  const [url] = await Promise.race([once(createInterface(child.stdout), "line"), exit]);
  if (typeof url !== "string") throw new Error("the fixture server did not start");
  const stop = async () => {
    child.kill();
    await exit;
  };
  return { url, stop };
}

/**
 * Runs one scenario and gives its checks.
 * @param {string} scenario
 * @param {string} url
 * @returns {Promise<Check[]>}
 */
export async function runScenario(scenario, url) {
  const folder = await mkdtemp(join(tmpdir(), "snodo-conformance-"));
  try {
    const output = await runSuite(["--scenario", scenario, "--url", url, "-o", folder]);
    const [result] = await readdir(folder);
    if (result === undefined) throw new Error(`${scenario} left no result: ${output.slice(-2000)}`);
    return JSON.parse(await readFile(join(folder, result, "checks.json"), "utf8"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * The form of one scenario in expected.json.
 * @param {readonly Check[]} checks
 */
export function summarize(checks) {
  /** @type {Summary} */
  const summary = {};
  const sorted = checks.toSorted((a, b) => compare(a.id, b.id) || compare(a.status, b.status));
  for (const { id, status } of sorted) {
    summary[id] = id in summary ? `${summary[id]} ${status}` : status;
  }
  return summary;
}

/**
 * What is not as expected, better or worse. A warning never is.
 * @param {readonly Check[]} checks
 * @param {Summary} expected
 */
export function differences(checks, expected) {
  const actual = summarize(checks);
  const ids = Object.keys({ ...expected, ...actual }).filter(
    (id) => actual[id] !== expected[id] || actual[id]?.includes("WARNING"),
  );
  return ids.map((id) => {
    const reasons = checks
      .filter((check) => check.id === id && check.status !== "SUCCESS")
      .map(({ description, errorMessage }) => errorMessage ?? description);
    const line = `${id}: expected ${expected[id] ?? "nothing"}, got ${actual[id] ?? "nothing"}`;
    return [line, ...reasons].join("; ");
  });
}

/**
 * The suite exits with 1 when a check fails; whether that is wrong is for the caller to say.
 * @param {readonly string[]} args
 * @returns {Promise<string>}
 */
function runSuite(args) {
  const node = ["--import", preload, command, "server", "--spec-version", revision];
  return new Promise((resolve) => {
    execFile(process.execPath, [...node, ...args], { timeout: timeoutMs }, (_, stdout, stderr) => {
      resolve(stdout + stderr);
    });
  });
}

/** @param {string} a @param {string} b */
function compare(a, b) {
  return a < b ? -1 : Number(a > b);
}

/** @param {string} relative */
function pathTo(relative) {
  return fileURLToPath(new URL(relative, import.meta.url));
}
