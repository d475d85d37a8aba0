// `deno serve`, `bun run` and Workers start this file as it is.
import { toFetch } from "snodo/http";
import { server } from "./server.ts";

export default { fetch: toFetch(server) };
