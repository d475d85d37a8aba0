// @ts-check
// Set-up that is done on demand: packages are installed and the library is built when something is
// missing or out of date. Everything is printed on stderr, because stdout may carry the protocol.
import { spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** The folder of the repository. */
export const root = fileURLToPath(new URL("..", import.meta.url));

/** Folders that tsdown builds, in order. */
const builtFor = {
  demo: ["packages/snodo", "examples/demo"],
  all: ["packages/snodo", "examples/demo", "conformance"],
};

const lockFile = join(root, ".setup.lock");
const lockWaitMs = 10 * 60_000;

/**
 * Installs and builds what `scope` needs: "demo" is the library and the demo server, "all" is
 * everything the tests use. Throws an error that says what failed.
 * @param {"demo" | "all"} scope
 */
export async function setUp(scope) {
  checkNode();
  if (isInstalled(scope) && builtFor[scope].every(isBuilt)) return;
  await withLock(() => {
    if (!isInstalled(scope)) install(scope);
    build(builtFor[scope].filter((folder) => !isBuilt(folder)));
  });
}

/**
 * Builds the given folders, by default all that there are.
 * @param {readonly string[]} folders
 */
export function build(folders = builtFor.all) {
  for (const folder of folders) {
    say(`building ${folder}`);
    const tsdown = join(root, "node_modules/tsdown/dist/run.mjs");
    run(process.execPath, ["--no-warnings", tsdown, "--logLevel", "warn"], join(root, folder));
  }
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new Error(`Node ${process.versions.node} is too old; 20.19 or newer is needed`);
}

/** @param {"demo" | "all"} scope */
function install(scope) {
  say("installing packages (npm ci), once");
  const folders = scope === "all" ? [] : builtFor[scope].map((folder) => `--workspace=${folder}`);
  const [command, first] = npm();
  run(command, [...first, "ci", "--no-audit", "--no-fund", "--loglevel=error", ...folders], root);
}

/**
 * How to start npm: the copy that runs us, else the one on the path.
 * @returns {[string, string[]]}
 */
export function npm() {
  const script = process.env.npm_execpath;
  if (script?.endsWith(".js")) return [process.execPath, [script]];
  return [process.platform === "win32" ? "npm.cmd" : "npm", []];
}

/**
 * Compares the lock file with what npm recorded about node_modules.
 * @param {"demo" | "all"} scope
 */
function isInstalled(scope) {
  const recorded = join(root, "node_modules/.package-lock.json");
  if (!existsSync(recorded)) return false;
  /** @type {{ packages: Record<string, LockEntry> }} */
  const wanted = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  /** @type {{ packages: Record<string, LockEntry> }} */
  const present = JSON.parse(readFileSync(recorded, "utf8"));
  return pathsNeeded(scope, wanted.packages).every(
    (path) => present.packages[path]?.version === wanted.packages[path]?.version,
  );
}

/**
 * @typedef {{ version?: string, optional?: boolean, peer?: boolean, dependencies?: Record<string, string>,
 *   devDependencies?: Record<string, string> }} LockEntry
 * @param {"demo" | "all"} scope
 * @param {Record<string, LockEntry>} packages
 */
function pathsNeeded(scope, packages) {
  if (scope === "all") {
    return Object.keys(packages).filter(
      (path) =>
        path.includes("node_modules/") &&
        packages[path]?.optional !== true &&
        packages[path]?.peer !== true,
    );
  }
  return builtFor[scope].flatMap((folder) => {
    const { dependencies, devDependencies } = packages[folder] ?? {};
    return Object.keys({ ...dependencies, ...devDependencies }).map((name) => {
      const nested = `${folder}/node_modules/${name}`;
      return packages[nested] === undefined ? `node_modules/${name}` : nested;
    });
  });
}

/** @param {string} folder */
function isBuilt(folder) {
  const outputs = filesBelow(join(root, folder, "dist"));
  if (outputs.length === 0) return false;
  const inputs = [
    ...filesBelow(join(root, folder, "src")).filter((file) => !file.endsWith(".test.ts")),
    join(root, folder, "package.json"),
    join(root, folder, "tsdown.config.ts"),
  ];
  const oldestOutput = Math.min(...outputs.map((file) => statSync(file).mtimeMs));
  return inputs.every((file) => statSync(file).mtimeMs <= oldestOutput);
}

/** @param {string} folder */
function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/**
 * Two servers started at once on a fresh clone must not install into the same folder.
 * @param {() => void} action
 */
async function withLock(action) {
  const until = Date.now() + lockWaitMs;
  while (!takeLock()) {
    if (Date.now() > until) {
      throw new Error(`another set-up is still running; if not, delete ${lockFile}`);
    }
    await delay(200);
  }
  try {
    action();
  } finally {
    rmSync(lockFile, { force: true });
  }
}

function takeLock() {
  try {
    const file = openSync(lockFile, "wx");
    writeSync(file, String(process.pid));
    closeSync(file);
    return true;
  } catch {
    removeStaleLock();
    return false;
  }
}

function removeStaleLock() {
  try {
    const owner = Number(readFileSync(lockFile, "utf8"));
    if (owner > 0) process.kill(owner, 0);
  } catch (error) {
    const isGone = error instanceof Error && "code" in error && error.code === "ESRCH";
    if (isGone) rmSync(lockFile, { force: true });
  }
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} cwd
 */
function run(command, args, cwd) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: ["ignore", 2, 2] });
  if (status === 0) return;
  const reason = error?.message ?? `code ${status}`;
  throw new Error(`"${command} ${args.join(" ")}" failed (${reason})`);
}

/** @param {string} message */
function say(message) {
  process.stderr.write(`snodo: ${message}\n`);
}
