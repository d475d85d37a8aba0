import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type TypeScript from "typescript";
import { afterAll, describe, expect, test } from "vitest";
import { npm, pack, root, subpaths, temporaryFolder } from "./support.ts";

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());
const consumer = folder.path;
installLibrary();

test("installs with at most three other packages", () => {
  const lock = readFileSync(join(consumer, "node_modules/.package-lock.json"), "utf8");
  const installed = Object.keys(JSON.parse(lock).packages);
  expect(installed).toContain("node_modules/snodo");
  expect(installed.length).toBeLessThanOrEqual(4);
});

test.each(subpaths)("can be imported as %s", (subpath) => {
  const script = `console.log(Object.keys(await import(${JSON.stringify(subpath)})).length)`;
  const args = ["--input-type=module", "--eval", script];
  const names = Number(execFileSync(process.execPath, args, { cwd: consumer, encoding: "utf8" }));
  expect(names).toBeGreaterThan(0);
});

test("gives Node its own build of snodo/client", () => {
  const script = `console.log(import.meta.resolve("snodo/client"))`;
  const args = ["--input-type=module", "--eval", script];
  const path = execFileSync(process.execPath, args, { cwd: consumer, encoding: "utf8" });
  expect(path).toMatch(/\/client-node\.js\n$/);
});

// Node's own types come from the repository, so that the installed packages are exactly those of a user.
const options = {
  target: "es2022",
  lib: ["es2022", "dom", "dom.iterable"],
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  typeRoots: [join(root, "node_modules/@types")],
  types: ["node"],
};

const resolutions = [
  { module: "nodenext", moduleResolution: "nodenext" },
  { module: "esnext", moduleResolution: "bundler" },
];

describe.each([
  ["5.0", "typescript50"],
  ["5.9", "typescript59"],
  ["6.0", "typescript"],
])("TypeScript %s", (_version, compiler) => {
  test.each(resolutions)("compiles a server and a client with $moduleResolution", (resolution) => {
    expect(diagnose(compiler, { ...options, ...resolution })).toEqual([]);
  });
});

// It has no API to ask about single files, and to check all of typebox's declarations takes half a minute.
test.each(resolutions)("compiles with TypeScript 7.0 and $moduleResolution", (resolution) => {
  const config = join(consumer, "tsconfig.json");
  const compilerOptions = { ...options, ...resolution, skipLibCheck: true };
  writeFileSync(config, JSON.stringify({ compilerOptions, files: ["app.ts"] }));
  const tsc = join(root, "node_modules/typescript7/bin/tsc");
  const { stdout } = spawnSync(process.execPath, [tsc, "-p", config], {
    cwd: consumer,
    encoding: "utf8",
  });
  expect(stdout).toBe("");
});

function installLibrary(): void {
  const { tarball } = pack(consumer);
  writeFileSync(join(consumer, "package.json"), JSON.stringify({ private: true, type: "module" }));
  npm(
    ["install", tarball, "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"],
    consumer,
  );
  cpSync(join(root, "test/packaging/consumer"), consumer, { recursive: true });
}

/** What an older compiler says about the application and about our declarations, not about those of others. */
function diagnose(compiler: string, compilerOptions: object): string[] {
  const ts: typeof TypeScript = createRequire(import.meta.url)(compiler);
  const app = join(consumer, "app.ts");
  const parsed = ts.convertCompilerOptionsFromJson(compilerOptions, consumer);
  const program = ts.createProgram([app], parsed.options);
  const ours = program
    .getSourceFiles()
    .filter(({ fileName }) => fileName === app || fileName.includes("/node_modules/snodo/"));
  const found = ours.flatMap((file) => [
    ...program.getSemanticDiagnostics(file),
    ...program.getSyntacticDiagnostics(file),
  ]);
  return [...parsed.errors, ...program.getOptionsDiagnostics(), ...found].map(
    ({ file, messageText }) =>
      `${file?.fileName ?? ""} ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
  );
}
