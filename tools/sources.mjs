// @ts-check
// The library's source files as the check tools see them.
import { readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { root } from "./setup.mjs";

/** The library's source folder. */
export const sourceFolder = join(root, "packages/snodo/src");

/**
 * One parsed file; `name` is its path below the source folder, with forward slashes.
 * @typedef {{ name: string, text: string, tree: ts.SourceFile }} Source
 */

/**
 * Every TypeScript file of the library, sorted by name.
 * @param {{ tests: boolean }} options Whether test files are among them.
 * @returns {Source[]}
 */
export function readSources({ tests }) {
  return readdirSync(sourceFolder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && (tests || !path.endsWith(".test.ts")))
    .map((path) => readSource(join(sourceFolder, path)))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** @param {string} path */
function readSource(path) {
  const text = readFileSync(path, "utf8");
  const name = relative(sourceFolder, path).replaceAll("\\", "/");
  return { name, text, tree: ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true) };
}

/**
 * Calls `visit` for `node` and everything below it.
 * @param {ts.Node} node
 * @param {(node: ts.Node) => void} visit
 */
export function walk(node, visit) {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

/**
 * "file:line" of a node, from the repository's root.
 * @param {ts.Node} node
 */
export function placeOf(node) {
  const tree = node.getSourceFile();
  const { line } = tree.getLineAndCharacterOfPosition(node.getStart());
  return `packages/snodo/src/${tree.fileName}:${line + 1}`;
}

/**
 * Prints the problems and sets the exit code, or prints the summary.
 * @param {string} what
 * @param {readonly string[]} problems
 * @param {string} summary
 */
export function report(what, problems, summary) {
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.stdout.write(
    `${what}: ${problems.length === 0 ? summary : `${problems.length} problems`}\n`,
  );
  if (problems.length > 0) process.exitCode = 1;
}
