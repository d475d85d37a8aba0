import type { UserConfig } from "tsdown";

export default {
  entry: ["src/main.ts"],
  platform: "node",
  target: "node20.19",
  fixedExtension: false,
  dts: false,
} satisfies UserConfig;
