// @ts-check
// Type checks generated tools with TypeScript 7 and fails when inference has become expensive.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const compiler = join(root, "node_modules/typescript7/bin/tsc");
const toolCount = 100;
const maxCpuSeconds = 1;

const budgets = [
  { name: "zod", maxInstantiations: 175_000, input: zodInput },
  { name: "literal JSON Schema", maxInstantiations: 400_000, input: literalInput },
];

const directory = mkdtempSync(join(root, "test/types/budget-"));
try {
  const base = measure(0, zodInput);
  for (const { name, maxInstantiations, input } of budgets) {
    const { instantiations, cpuSeconds } = measure(toolCount, input);
    const seconds = Number((cpuSeconds - base.cpuSeconds).toFixed(2));
    const isOver = instantiations > maxInstantiations || seconds > maxCpuSeconds;
    console.log(
      `types-budget: ${isOver ? "OVER" : "ok"}: ${toolCount} tools with ${name}: ` +
        `${instantiations} instantiations (at most ${maxInstantiations}), ` +
        `${seconds} s of CPU over a file without tools (at most ${maxCpuSeconds})`,
    );
    if (isOver) process.exitCode = 1;
  }
} finally {
  rmSync(directory, { recursive: true });
}

/**
 * What the compiler needs for a file of so many tools.
 * @param {number} count
 * @param {(index: number) => string} input
 */
function measure(count, input) {
  writeSources(count, input);
  const command = [process.execPath, compiler, "-p", directory, "--extendedDiagnostics"];
  // The shell's `times` gives CPU time, which other work on the machine does not change much.
  const report = execFileSync("sh", ["-c", '"$@" --singleThreaded && times', "sh", ...command], {
    encoding: "utf8",
  });
  const [, minutes = "", seconds = ""] = /(\d+)m([\d.]+)s \S+\s*$/.exec(report) ?? [];
  const instantiations = /^Instantiations:\s+(\d+)/m.exec(report)?.[1];
  return {
    instantiations: Number(instantiations),
    cpuSeconds: Number(minutes) * 60 + Number(seconds),
  };
}

/**
 * @param {number} count
 * @param {(index: number) => string} input
 */
function writeSources(count, input) {
  const tools = Array.from(
    { length: count },
    (_, index) => `export const tool${index} = tool({
  name: "tool${index}",
  input: ${input(index)},
  call: async ({ city, days${index}, near, tags }) => ({
    sum${index}: days${index} + near.lat,
    names: [city, tags[0]?.key ?? ""],
  }),
});`,
  );
  const imports = [
    'import { z } from "zod";',
    'import { tool } from "../../../packages/snodo/src/core/define-tool.ts";',
    "export { tool, z };",
  ];
  writeFileSync(join(directory, "tools.ts"), [...imports, ...tools].join("\n"));
  writeFileSync(
    join(directory, "tsconfig.json"),
    JSON.stringify({ extends: "../tsconfig.json", include: ["tools.ts"], exclude: [] }),
  );
}

/** @param {number} index */
function zodInput(index) {
  return `z.object({
    city: z.string().min(1).describe("City"),
    days${index}: z.int().min(1).max(16).default(3),
    units: z.enum(["metric", "imperial"]).optional(),
    near: z.object({ lat: z.number(), lon: z.number(), label: z.string().optional() }),
    tags: z.array(z.object({ key: z.string(), value: z.union([z.string(), z.number()]) })),
  })`;
}

/** @param {number} index */
function literalInput(index) {
  return `{
    type: "object",
    properties: {
      city: { type: "string", minLength: 1, description: "City", "x-mcp-header": "City" },
      days${index}: { type: "integer", minimum: 1, maximum: 16, default: 3 },
      units: { enum: ["metric", "imperial"] },
      near: {
        type: "object",
        properties: { lat: { type: "number" }, lon: { type: "number" }, label: { type: "string" } },
        required: ["lat", "lon"],
      },
      tags: {
        type: "array",
        items: {
          type: "object",
          properties: {
            key: { type: "string" },
            value: { anyOf: [{ type: "string" }, { type: "number" }] },
          },
          required: ["key", "value"],
        },
      },
    },
    required: ["city", "days${index}", "near", "tags"],
  }`;
}
