// @ts-check
// `npm run conformance`: every scenario of expected.json must give exactly the checks listed there,
// neither worse nor better, and none may warn. `-- --update` writes down what came out.
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { setUp } from "../tools/setup.mjs";
import {
  differences,
  expectedFile,
  readExpected,
  runScenario,
  startFixture,
  summarize,
} from "./suite.mjs";

const { values } = parseArgs({ options: { update: { type: "boolean", default: false } } });
await setUp("all");

const expected = await readExpected();
const scenarios = Object.keys(expected);
const { url, stop } = await startFixture();
try {
  const failed = await runAll();
  const text = `${JSON.stringify(expected, undefined, 2)}\n`;
  if (values.update) await writeFile(expectedFile, text);
  process.stdout.write(`tests: ${scenarios.length - failed} passed, ${failed} failed\n`);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  await stop();
}

/** Gives the number of scenarios that failed. */
async function runAll() {
  let failed = 0;
  for (const scenario of scenarios) {
    const checks = await runScenario(scenario, url);
    if (values.update) expected[scenario] = summarize(checks);
    const problems = differences(checks, expected[scenario] ?? {});
    process.stdout.write(`${problems.length === 0 ? "ok  " : "FAIL"} ${scenario}\n`);
    for (const problem of problems) process.stdout.write(`     ${problem}\n`);
    if (problems.length > 0) failed += 1;
  }
  return failed;
}
