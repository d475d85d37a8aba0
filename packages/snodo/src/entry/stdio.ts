export {
  serveStdio,
  type StdioOptions,
  type StdioServer,
} from "../transports/stdio/serve-stdio.ts";
