// The fixture over HTTP in a process of its own. Sends its port to the parent, then what it holds
// each time the parent sends a message. Needs --expose-gc.
import { serveHttp } from "snodo/node";
import { createFixture } from "./fixture.mjs";

const { port } = await serveHttp(createFixture(), { port: 0 });
process.on("message", () => {
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, rss } = process.memoryUsage();
  process.send({ heapUsed, rss, resources: process.getActiveResourcesInfo() });
});
process.send({ port });
