// @ts-check
// Every export of the library says what the caller gets.
import ts from "typescript";
import { placeOf, readSources, report } from "./sources.mjs";

const exported = readSources({ tests: false }).flatMap(({ tree }) =>
  tree.statements.filter(isExported),
);
const problems = exported
  .filter((statement) => ts.getJSDocCommentsAndTags(statement).length === 0)
  .map(
    (statement) => `${placeOf(statement)} has no comment: ${statement.getText().split("\n")[0]}`,
  );
report("comments", problems, `${exported.length} exports, all documented`);

/** @param {ts.Statement} statement */
function isExported(statement) {
  if (!ts.canHaveModifiers(statement)) return false;
  return (
    ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
  );
}
