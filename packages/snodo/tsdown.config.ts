import { defineConfig } from "tsdown";
import type { UserConfig } from "tsdown";

const config: UserConfig = defineConfig({
  entry: "src/entry/*.ts",
  format: "esm",
  platform: "neutral",
  target: "node20.19",
  dts: { oxc: true },
  // Everything else that is imported must be a dependency that the consumer installs.
  deps: { onlyBundle: ["eventsource-parser"], neverBundle: [/^node:/] },
  hash: false,
  report: false,
  logLevel: "warn",
});

export default config;
