// @ts-check
// The public surface: one line for each name that a subpath exports, kept in api/*.txt so that a change of it
// shows in review. `--update` writes the files, otherwise a difference is an error.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { root } from "./setup.mjs";
import { report } from "./sources.mjs";

const entries = ["index", "stdio", "node", "http", "json-schema", "client"];
/** The build of snodo/client that Node gets; it has no types of its own. */
const nodeClient = "client-node";
const isUpdate = process.argv.includes("--update");
const printer = ts.createPrinter({ removeComments: true });

const program = ts.createProgram([...entries, nodeClient].map(typesOf), {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  strict: true,
  types: [],
});
const checker = program.getTypeChecker();
const surfaces = new Map(entries.map((entry) => [entry, surfaceOf(entry)]));

mkdirSync(join(root, "api"), { recursive: true });
const problems = [...surfaces].flatMap(([entry, lines]) => compare(entry, lines));
if (surfaces.get("client")?.join() !== surfaceOf(nodeClient).join()) {
  problems.push("entry/client.ts and entry/client-node.ts must export the same names and types");
}
const count = [...surfaces.values()].reduce((sum, lines) => sum + lines.length, 0);
report("api", problems, `${count} names in ${entries.length} subpaths`);

/** @param {string} entry */
function typesOf(entry) {
  return join(root, "packages/snodo/dist", `${entry}.d.ts`);
}

/** @param {string} entry */
function surfaceOf(entry) {
  const source = program.getSourceFile(typesOf(entry));
  const module = source === undefined ? undefined : checker.getSymbolAtLocation(source);
  if (module === undefined)
    throw new Error(`${typesOf(entry)} is missing or exports nothing; run npm run build`);
  return checker
    .getExportsOfModule(module)
    .map((symbol) => lineFor(symbol))
    .toSorted();
}

/** @param {ts.Symbol} symbol */
function lineFor(symbol) {
  const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
  const target = isAlias ? checker.getAliasedSymbol(symbol) : symbol;
  const texts = (target.declarations ?? []).map((declaration) => signatureOf(declaration));
  return `${symbol.name}: ${texts.join(" | ")}`;
}

/** @param {ts.Declaration} declaration */
function signatureOf(declaration) {
  const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  const text = printer.printNode(ts.EmitHint.Unspecified, node, declaration.getSourceFile());
  return text.replaceAll(/\s+/g, " ").replace(/^(export |declare )+/, "");
}

/**
 * @param {string} entry
 * @param {readonly string[]} lines
 */
function compare(entry, lines) {
  const path = join(root, "api", `${entry}.txt`);
  const text = `${lines.join("\n")}\n`;
  if (isUpdate) writeFileSync(path, text);
  const recorded = new Set(
    existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n") : [],
  );
  const added = lines.filter((line) => !recorded.has(line)).map((line) => `${entry}: + ${line}`);
  const removed = [...recorded]
    .filter((line) => !lines.includes(line))
    .map((line) => `${entry}: - ${line}`);
  const differences = [...removed, ...added];
  if (differences.length > 0) differences.push(`${entry}: if this is meant, run npm run api`);
  return differences;
}
