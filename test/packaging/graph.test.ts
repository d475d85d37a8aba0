import { expect, test } from "vitest";
import { modulesReached } from "./support.ts";

test.each(["index.js", "http.js", "client.js", "json-schema.js"])(
  "loads nothing of Node from %s",
  (file) => {
    const specifiers = [...modulesReached(file)];
    expect(specifiers.filter((specifier) => specifier.startsWith("node:"))).toEqual([]);
  },
);

test.each(["index.js", "http.js", "stdio.js", "node.js", "client.js", "client-node.js"])(
  "loads no package from %s",
  (file) => {
    const specifiers = [...modulesReached(file)];
    expect(
      specifiers.filter((specifier) => /^[^/]/.test(specifier) && !specifier.startsWith("node:")),
    ).toEqual([]);
  },
);

test("loads typebox and no other package from json-schema.js", () => {
  const packages = [...modulesReached("json-schema.js")]
    .filter((specifier) => !specifier.startsWith("/"))
    .map((specifier) => specifier.split("/")[0]);
  expect(new Set(packages)).toEqual(new Set(["typebox"]));
});
