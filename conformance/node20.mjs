// @ts-check
// Preload for the conformance suite: it imports `globSync` from "fs", which Node has from 22 on, and
// uses it in a command that is not run here. Without that name the module would not load at all.
import fs from "node:fs";
import { register } from "node:module";

if (!("globSync" in fs)) {
  const replacement = toModule(`
    export * from "node:fs";
    export { default } from "node:fs";
    export function globSync() { throw new Error("Node 20 has no globSync"); }`);
  register(
    toModule(`
      export async function resolve(specifier, context, next) {
        const isSuite = context.parentURL?.includes("/@modelcontextprotocol/conformance/");
        if (!isSuite || !/^(node:)?fs$/.test(specifier)) return next(specifier, context);
        return { url: ${JSON.stringify(replacement)}, shortCircuit: true };
      }`),
  );
}

/** @param {string} source */
function toModule(source) {
  return `data:text/javascript,${encodeURIComponent(source)}`;
}
