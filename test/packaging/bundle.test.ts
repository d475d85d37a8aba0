import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { expect, test } from "vitest";
import { library, temporaryFolder } from "./support.ts";

// A little over what was measured last: growth must be a decision.
const highestBytes = 64_000;
const highestCompressedBytes = 22_000;

const handler = `
import { createServer, tool } from "snodo";
import { toFetch } from "snodo/http";
const hello = tool({ name: "hello", call: () => "Hello" });
export default { fetch: toFetch(createServer({ name: "hello", version: "1.0.0", tools: [hello] })) };
`;

test("bundles a one-tool fetch handler within its budget", async () => {
  const bytes = await bundle(handler);
  expect(bytes.length).toBeLessThanOrEqual(highestBytes);
  expect(gzipSync(bytes, { level: 9 }).length).toBeLessThanOrEqual(highestCompressedBytes);
});

async function bundle(code: string): Promise<Buffer> {
  using folder = temporaryFolder();
  const input = join(folder.path, "handler.js");
  writeFileSync(input, code);
  const alias = {
    "snodo/http": join(library, "dist/http.js"),
    snodo: join(library, "dist/index.js"),
  };
  const build = await rolldown({ input, resolve: { alias }, platform: "neutral" });
  const { output } = await build.generate({ format: "esm", minify: true });
  await build.close();
  return Buffer.concat(
    output.map((part) => Buffer.from(part.type === "chunk" ? part.code : part.source)),
  );
}
