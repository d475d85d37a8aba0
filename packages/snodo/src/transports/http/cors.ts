import type { Exchange, ResponseHeaders } from "./exchange.ts";

/** Headers that let a browser page of an allowed origin read the answer. The origin was checked. */
export function corsHeaders(exchange: Exchange): ResponseHeaders {
  const origin = exchange.header("origin");
  if (origin === undefined) return {};
  return {
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Expose-Headers": "WWW-Authenticate, Retry-After",
    Vary: "Origin",
  };
}

/**
 * Headers of the answer to a preflight request: `POST`, and of the asked-for headers those that MCP
 * uses, `Mcp-Param-*` included.
 */
export function preflightHeaders(exchange: Exchange): ResponseHeaders {
  const asked = exchange.header("access-control-request-headers") ?? "";
  const allowed = asked
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => requestHeaders.has(name) || mirroredArgument.test(name));
  return {
    ...corsHeaders(exchange),
    "Access-Control-Allow-Methods": "POST",
    "Access-Control-Allow-Headers": [...new Set([...requestHeaders, ...allowed])].join(", "),
    "Access-Control-Max-Age": "7200",
  };
}

const requestHeaders: ReadonlySet<string> = new Set([
  "accept",
  "authorization",
  "baggage",
  "content-type",
  "mcp-method",
  "mcp-name",
  "mcp-protocol-version",
  "traceparent",
  "tracestate",
]);

const mirroredArgument = /^mcp-param-[!#$%&'*+\-.^_`|~\da-z]+$/;
