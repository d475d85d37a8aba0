// @ts-check
// Budgets that the linter has no rule for: median file length, casts, what a fourth parameter is for.
// File and function length, complexity, nesting, `any` and `!` are rules in .oxlintrc.json.
import ts from "typescript";
import { placeOf, readSources, report, walk } from "./sources.mjs";

const highestMedianLines = 120;
const highestCastsPerThousandLines = 5;

const sources = readSources({ tests: false });
const lengths = sources.map(({ text }) => text.split("\n").length - 1).toSorted((a, b) => a - b);
const lines = lengths.reduce((sum, length) => sum + length, 0);
const median = lengths[Math.floor(lengths.length / 2)] ?? 0;
const nodes = sources.flatMap(({ tree }) => nodesOf(tree));
const casts = nodes.filter(isCast);
const castsPerThousand = (casts.length * 1000) / lines;

const problems = nodes
  .filter(hasStrayParameter)
  .map((node) => `${placeOf(node)} a fourth parameter must be \`options\``);
if (median > highestMedianLines)
  problems.push(`median file length is ${median}, at most ${highestMedianLines}`);
if (castsPerThousand > highestCastsPerThousandLines) {
  problems.push(
    ...casts.map((node) => `${placeOf(node)} cast`),
    `${castsPerThousand.toFixed(1)} casts per 1,000 lines, at most ${highestCastsPerThousandLines}`,
  );
}
report(
  "sizes",
  problems,
  `${lines} lines, median file ${median}, longest ${lengths.at(-1)}, ${castsPerThousand.toFixed(1)} casts per 1,000 lines`,
);

/** @param {ts.SourceFile} tree */
function nodesOf(tree) {
  /** @type {ts.Node[]} */
  const found = [];
  walk(tree, (node) => found.push(node));
  return found;
}

/** @param {ts.Node} node */
function isCast(node) {
  return (
    (ts.isAsExpression(node) || ts.isTypeAssertionExpression(node)) &&
    !ts.isConstTypeReference(node.type)
  );
}

/** @param {ts.Node} node */
function hasStrayParameter(node) {
  if (!ts.isFunctionLike(node) || node.parameters.length < 4) return false;
  const fourth = node.parameters[3];
  return node.parameters.length > 4 || !/options$/i.test(fourth?.name.getText() ?? "");
}
