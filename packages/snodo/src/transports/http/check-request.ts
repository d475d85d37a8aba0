import { acceptedTypes, usualAccept } from "./accept.ts";
import { corsHeaders } from "./cors.ts";
import type { Exchange, HttpRefusal } from "./exchange.ts";
import type { HttpRules } from "./options.ts";

const loopbackNames: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** The refusal of every method but POST. */
export const postOnly: HttpRefusal = Object.freeze({
  status: 405,
  message: "The MCP endpoint takes POST only",
  headers: Object.freeze({ Allow: "POST" }),
});

const notJson: HttpRefusal = Object.freeze({
  status: 415,
  message: "The header Content-Type must be application/json",
});

const notAcceptable: HttpRefusal = Object.freeze({
  status: 406,
  message: "The header Accept must allow application/json and text/event-stream",
});

/**
 * Checks Host, Origin, method, content type and accepted types, in this order; `undefined` means that
 * the body may be read. spec: HTTP-2, HTTP-36, AMB-12
 */
export function checkRequest(exchange: Exchange, rules: HttpRules): HttpRefusal | undefined {
  const caller = checkCaller(exchange, rules);
  if (caller !== undefined) return caller;
  if (exchange.method !== "POST") return explained(exchange, postOnly);
  const type = exchange.header("content-type");
  if (type !== "application/json" && !isJson(type)) return explained(exchange, notJson);
  const accept = exchange.header("accept");
  if (accept !== usualAccept && !isAcceptable(accept)) return explained(exchange, notAcceptable);
  return undefined;
}

/** The refusal in a form that a page of an allowed origin can read. */
function explained(exchange: Exchange, refused: HttpRefusal): HttpRefusal {
  return { ...refused, headers: { ...corsHeaders(exchange), ...refused.headers } };
}

/** `name`, `name:port` or `[v6]:port`; the name is the first group. */
const hostPattern = /^(\[[\da-f:.]+\]|[^:@[\]]+)(?::\d{1,5})?$/;

/** The part that protects against other web pages and applies to preflight requests, too. */
export function checkCaller(exchange: Exchange, rules: HttpRules): HttpRefusal | undefined {
  const allowed = rules.hosts ?? (exchange.isLocal ? loopbackNames : undefined);
  if (allowed !== undefined) {
    const host = exchange.header("host")?.toLowerCase() ?? "";
    const isNamed = allowed.has(host) || allowed.has(hostPattern.exec(host)?.[1] ?? "");
    if (!isNamed || exchange.isRepeated("host")) return refusal("host", host, "allowedHosts");
  }
  const origin = exchange.header("origin");
  if (origin === undefined || isAllowedOrigin(exchange, origin, rules)) return undefined;
  return refusal("origin", origin, "allowedOrigins");
}

function refusal(what: string, value: string, option: string): HttpRefusal {
  const shown = value === "" ? "(none)" : JSON.stringify(value.slice(0, 128));
  return { status: 403, message: `The ${what} ${shown} is not allowed; see the option ${option}` };
}

function isAllowedOrigin(exchange: Exchange, origin: string, { origins }: HttpRules): boolean {
  const lower = origin.toLowerCase();
  if (origins !== undefined) return origins.has(lower);
  const host = /^https?:\/\/([^/]+)$/.exec(lower)?.[1] ?? "";
  return exchange.isLocal && loopbackNames.has(hostPattern.exec(host)?.[1] ?? "");
}

function isJson(contentType: string | undefined): boolean {
  return contentType?.split(";", 1)[0]?.trim().toLowerCase() === "application/json";
}

function isAcceptable(accept: string | undefined): boolean {
  const { json, events } = acceptedTypes(accept);
  return json || events;
}
