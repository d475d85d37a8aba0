// @ts-check
// Imports of the library go downwards, form no cycle, and reach Node or a package only where that is meant.
import { posix } from "node:path";
import ts from "typescript";
import { readSources, report, walk } from "./sources.mjs";

/** Folder → layer. A file imports from its own folder and from lower layers; type imports count. */
const layers = new Map([
  ["json", 0],
  ["jsonrpc", 1],
  ["uri-template", 1],
  ["schema", 1],
  ["core", 2],
  ["dialects", 3],
  ["server", 4],
  ["client", 4],
  ["transports", 5],
  ["tasks", 5],
  ["oauth", 5],
  ["telemetry", 5],
  ["testing", 6],
  ["proxy", 6],
  ["openapi", 6],
  ["entry", 8],
]);

/** Layers up to this one know nothing of Node, whatever imports them. */
const highestPortableLayer = 4;
const portableEntries = new Set(["index", "http", "client", "json-schema"]);

/** Packages that an entry may load at run time; the others load none. */
const packagesOfEntry = new Map([
  ["json-schema", ["typebox"]],
  ["client", ["eventsource-parser"]],
  ["client-node", ["eventsource-parser"]],
]);

/**
 * @typedef {{ specifier: string, isType: boolean }} Import
 * @typedef {Map<string, Import[]>} Graph File name → its imports; local ones as file names.
 */

const graph = readGraph();
const problems = [
  ...findUpward(graph),
  ...findCycles(graph),
  ...findMissing(graph),
  ...findUnportable(graph),
];
report("layers", problems, `${graph.size} files, every import goes downwards`);

/** @returns {Graph} */
function readGraph() {
  return new Map(
    readSources({ tests: false }).map(({ name, tree }) => [name, importsOf(name, tree)]),
  );
}

/**
 * @param {string} name
 * @param {ts.SourceFile} tree
 */
function importsOf(name, tree) {
  /** @type {Import[]} */
  const found = [];
  walk(tree, (node) => {
    const literal = specifierOf(node);
    if (literal === undefined || !ts.isStringLiteral(literal)) return;
    const isLocal = literal.text.startsWith(".");
    const specifier = isLocal ? posix.join(posix.dirname(name), literal.text) : literal.text;
    found.push({ specifier, isType: isTypeOnly(node) });
  });
  return found;
}

/** @param {ts.Node} node */
function specifierOf(node) {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
    return node.argument.literal;
  const isDynamic =
    ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
  return isDynamic ? node.arguments[0] : undefined;
}

/** @param {ts.Node} node */
function isTypeOnly(node) {
  if (ts.isImportDeclaration(node))
    return node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
  return ts.isImportTypeNode(node) || (ts.isExportDeclaration(node) && node.isTypeOnly);
}

/** @param {Graph} files */
function* findMissing(files) {
  for (const name of files.keys()) {
    if (!layers.has(folderOf(name)))
      yield `${name}: its folder has no layer in tools/check-layers.mjs`;
  }
}

/** @param {Graph} files */
function* findUpward(files) {
  for (const [name, imports] of files) {
    for (const { specifier } of imports) {
      if (isLocal(specifier) && !mayImport(name, specifier))
        yield `${name} must not import ${specifier}`;
    }
  }
}

/**
 * @param {string} from
 * @param {string} to
 */
function mayImport(from, to) {
  if (folderOf(from) !== folderOf(to)) return layerOf(to) < layerOf(from);
  if (folderOf(from) !== "dialects") return true;
  // A revision never imports another.
  const [own, other] = [from, to].map((path) => path.split("/").slice(1, -1)[0]);
  return own === undefined || other === undefined || own === other;
}

/** @param {Graph} files */
function* findCycles(files) {
  /** @type {Map<string, "open" | "done">} */
  const states = new Map();
  /** @type {string[]} */
  const trail = [];
  /**
   * @param {string} name
   * @returns {Generator<string>}
   */
  function* visit(name) {
    if (states.get(name) === "done") return;
    if (states.get(name) === "open") {
      yield `cycle: ${[...trail.slice(trail.indexOf(name)), name].join(" -> ")}`;
      return;
    }
    states.set(name, "open");
    trail.push(name);
    for (const { specifier } of files.get(name) ?? [])
      if (files.has(specifier)) yield* visit(specifier);
    trail.pop();
    states.set(name, "done");
  }
  for (const name of files.keys()) yield* visit(name);
}

/** @param {Graph} files */
function* findUnportable(files) {
  for (const [name, imports] of files) {
    if (layerOf(name) > highestPortableLayer) continue;
    for (const { specifier } of imports) {
      if (specifier.startsWith("node:")) yield `${name} must not import ${specifier}`;
    }
  }
  for (const name of files.keys()) {
    if (folderOf(name) === "entry") yield* findUnportableEntry(files, name);
  }
}

/**
 * @param {Graph} files
 * @param {string} entry
 */
function* findUnportableEntry(files, entry) {
  const subpath = posix.basename(entry, ".ts");
  const allowed = packagesOfEntry.get(subpath) ?? [];
  for (const [specifier, importer] of packagesReached(files, entry)) {
    const isNode = specifier.startsWith("node:");
    const isAllowed = isNode
      ? !portableEntries.has(subpath)
      : allowed.some((name) => specifier === name || specifier.startsWith(`${name}/`));
    if (!isAllowed) yield `${entry} must not reach ${specifier} (through ${importer})`;
  }
}

/**
 * What an entry loads at run time that is not ours: specifier → the file that imports it.
 * @param {Graph} files
 * @param {string} entry
 */
function packagesReached(files, entry) {
  /** @type {Map<string, string>} */
  const reached = new Map();
  const seen = new Set([entry]);
  for (const name of seen) {
    for (const { specifier, isType } of files.get(name) ?? []) {
      if (isType) continue;
      if (isLocal(specifier)) seen.add(specifier);
      else reached.set(specifier, name);
    }
  }
  return reached;
}

/** @param {string} specifier */
function isLocal(specifier) {
  return specifier.endsWith(".ts");
}

/** @param {string} name */
function folderOf(name) {
  return name.split("/")[0] ?? "";
}

/** @param {string} name */
function layerOf(name) {
  return layers.get(folderOf(name)) ?? -1;
}
