import { defineConfig } from "vitest/config";

const node = { environment: "node", testTimeout: 20_000, hookTimeout: 20_000 } as const;
const slow = { ...node, testTimeout: 300_000, hookTimeout: 300_000 } as const;

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...node,
          name: "vitest",
          include: ["packages/*/src/**/*.test.ts", "test/**/*.test.ts"],
          exclude: ["**/node_modules/**", "test/packaging/**"],
        },
      },
      { test: { ...slow, name: "packaging", include: ["test/packaging/*.test.ts"] } },
      { test: { ...slow, name: "interop", include: ["interop/**/*.test.ts"] } },
      { test: { ...slow, name: "conformance", include: ["conformance/**/*.test.ts"] } },
    ],
  },
});
