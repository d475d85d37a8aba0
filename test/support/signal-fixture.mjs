// The fixture on two HTTP listeners in one process; sends both ports to the parent. The argument
// "before" or "after" adds a SIGTERM listener of the application on that side of the library's,
// which says on stdout when it has come to its end.
import { setTimeout as delay } from "node:timers/promises";
import { serveHttp } from "snodo/node";
import { createFixture } from "./fixture.mjs";

const [, , when] = process.argv;

function listen() {
  process.once("SIGTERM", () => {
    void delay(800).then(() => process.stdout.write("application done\n"));
  });
}

if (when === "before") listen();
const servers = [
  await serveHttp(createFixture(), { port: 0 }),
  await serveHttp(createFixture(), { port: 0 }),
];
if (when === "after") listen();
process.send(servers.map(({ port }) => port));
