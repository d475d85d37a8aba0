export { serveHttp, type HttpServer, type ListenOptions } from "../transports/node/serve-http.ts";
export { toNodeHandler, type NodeHandler } from "../transports/node/to-node-handler.ts";
export type { HttpOptions } from "../transports/http/options.ts";
export type { RequestExtras } from "../transports/http/service.ts";
