import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** The folder of the repository. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/** The folder of the library. */
export const library = join(root, "packages/snodo");

/** The library's package.json, as far as these tests read it. */
export const manifest: {
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly dependencies: Readonly<Record<string, string>>;
} = JSON.parse(readFileSync(join(library, "package.json"), "utf8"));

/** Every specifier that a user may import, such as `snodo/http`. */
export const subpaths: readonly string[] = Object.keys(manifest.exports)
  .filter((key) => key !== "./package.json")
  .map((key) => posix.join("snodo", key));

/** An empty folder that is removed when the scope ends. */
export function temporaryFolder(): { readonly path: string; [Symbol.dispose](): void } {
  const path = mkdtempSync(join(tmpdir(), "snodo-packaging-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Runs npm and gives its stdout; throws with its stderr when it fails. */
export function npm(args: readonly string[], cwd: string): string {
  const script = process.env.npm_execpath;
  const [command, first] = script?.endsWith(".js") ? [process.execPath, [script]] : ["npm", []];
  return execFileSync(command, [...first, ...args], { cwd, encoding: "utf8", stdio: "pipe" });
}

/** What `npm pack` made. */
export interface Packed {
  readonly tarball: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly string[];
}

/** Packs the library, as `npm publish` would, into `folder`. */
export function pack(folder: string): Packed {
  const [made] = JSON.parse(npm(["pack", "--json", "--pack-destination", folder], library));
  const files = made.files.map((file: { path: string }) => file.path);
  return { ...made, files, tarball: join(folder, basename(made.filename)) };
}

/** Every module that a built file loads, itself included; what is not ours keeps its specifier. */
export function modulesReached(file: string): ReadonlySet<string> {
  const reached = new Set([join(library, "dist", file)]);
  for (const path of reached) {
    if (!path.startsWith(library)) continue;
    for (const { fileName } of ts.preProcessFile(readFileSync(path, "utf8"), true, true)
      .importedFiles) {
      reached.add(fileName.startsWith(".") ? join(dirname(path), fileName) : fileName);
    }
  }
  return reached;
}
