export { toFetch, type FetchHandler } from "../transports/fetch/to-fetch.ts";
export type { HttpOptions } from "../transports/http/options.ts";
export type { RequestExtras } from "../transports/http/service.ts";
