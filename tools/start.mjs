// @ts-check
// `npm start`: sets up what is missing, then becomes the demo server.
import { fileURLToPath } from "node:url";
import { setUp } from "./setup.mjs";

const parent = process.ppid;
try {
  await setUp("demo");
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
if (process.env.npm_lifecycle_event !== undefined) endWithParent();
const main = new URL("../examples/demo/dist/main.js", import.meta.url);
process.argv[1] = fileURLToPath(main);
await import(main.href);

// npm passes SIGTERM to the shell between us, which dies without passing it on.
function endWithParent() {
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, "SIGTERM");
  }, 500).unref();
}
