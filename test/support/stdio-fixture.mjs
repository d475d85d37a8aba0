// `node stdio-fixture.mjs '{"pageSize":2}'` serves the fixture over stdio.
import { serveStdio } from "snodo/stdio";
import { createFixture } from "./fixture.mjs";

await serveStdio(createFixture(JSON.parse(process.argv[2] ?? "{}")));
