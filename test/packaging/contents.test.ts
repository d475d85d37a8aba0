import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { publint } from "publint";
import { afterAll, expect, test } from "vitest";
import { library, manifest, pack, root, temporaryFolder } from "./support.ts";

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());
const packed = pack(folder.path);

test("packs the build, the licence and the notices, and nothing else", () => {
  const allowed =
    /^(package\.json|README\.md|LICENSE|THIRD-PARTY-NOTICES|dist\/[\w-]+(\.d)?\.[jt]s)$/;
  expect(packed.files.filter((path) => !allowed.test(path))).toEqual([]);
});

test("packs every file that package.json exports", () => {
  const targets = Object.values(manifest.exports).flatMap((target) =>
    typeof target === "string" ? [target] : Object.values(target),
  );
  const missing = targets.filter((target) => !packed.files.includes(target.replace("./", "")));
  expect(missing).toEqual([]);
});

test("stays within its size budget", () => {
  expect(packed.size).toBeLessThanOrEqual(100_000);
  expect(packed.unpackedSize).toBeLessThanOrEqual(350_000);
});

test("ships the licence of every package that is bundled", () => {
  const code = packed.files.map((path) => read(library, path)).join("\n");
  const bundled = new Set(
    Array.from(
      code.matchAll(/^\/\/#region .*node_modules\/((?:@[^/]+\/)?[^/]+)/gm),
      ([, name]) => name,
    ),
  );
  const notices = read(library, "THIRD-PARTY-NOTICES");
  expect([...bundled]).toEqual(["eventsource-parser"]);
  for (const name of bundled) {
    const { version } = JSON.parse(read(root, `node_modules/${name}/package.json`));
    expect(notices).toContain(`\n${name} ${version}\n`);
    expect(notices).toContain(read(root, `node_modules/${name}/LICENSE`).trim());
  }
});

test("satisfies publint", async () => {
  const tarball = readFileSync(packed.tarball);
  const { messages } = await publint({
    pack: {
      tarball: tarball.buffer.slice(tarball.byteOffset, tarball.byteOffset + tarball.length),
    },
    strict: true,
  });
  expect(messages).toEqual([]);
});

test("gives right types to every kind of ESM import", () => {
  const attw = join(root, "node_modules/@arethetypeswrong/cli/dist/index.js");
  const args = [attw, packed.tarball, "--profile", "esm-only", "--no-color", "--no-emoji"];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect(status, stdout).toBe(0);
});

function read(base: string, path: string): string {
  return readFileSync(join(base, path), "utf8");
}
