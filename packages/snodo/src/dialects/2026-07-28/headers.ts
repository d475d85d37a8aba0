import { isObject, type JsonObject } from "../../json/value.ts";
import { RpcError } from "../../jsonrpc/error.ts";
import type { RequestMessage } from "../../jsonrpc/message.ts";
import type { HttpRequestFacts } from "../../core/call.ts";
import { decodeHeaderValue } from "../../core/header-value.ts";
import type { HeaderAnnotation } from "../../schema/header-annotations.ts";

/**
 * Checks `Mcp-Method` and, for methods that have it, `Mcp-Name` against the body. Throws `RpcError`
 * -32020. spec: HTTP-31 to HTTP-34
 */
export function checkHeaders(
  http: HttpRequestFacts,
  message: RequestMessage,
  nameParam: string | undefined,
): void {
  if (http.header("mcp-method") !== message.method) {
    throw mismatch("Mcp-Method", "the method of the body");
  }
  if (nameParam === undefined) return;
  const name = message.params[nameParam];
  // A missing or malformed name is a fault of the parameters.
  if (typeof name !== "string") return;
  const isSamePlainText = http.header("mcp-name") === name && plainName.test(name);
  if (isSamePlainText || readHeader(http, "mcp-name") === name) return;
  throw mismatch("Mcp-Name", `params.${nameParam} of the body`);
}

/** Names that stand for themselves in a header and cannot be several joined. */
const plainName = /^[\w.\-/]+$/;

/**
 * Checks each `Mcp-Param-*` header against the argument it mirrors. Throws `RpcError` -32020.
 * spec: XMH-6, AMB-9
 */
export function checkMirrors(
  mirrors: readonly HeaderAnnotation[],
  args: JsonObject,
  http: HttpRequestFacts,
): void {
  for (const mirror of mirrors) {
    const argument = readPath(args, mirror.path);
    const value = http.header(mirror.header);
    const where = `the argument /${mirror.path.join("/")}`;
    if (argument === undefined || argument === null) {
      if (value !== undefined)
        throw mismatch(`Mcp-Param-${mirror.name}`, `${where}, which has no value`);
      continue;
    }
    const text = readHeader(http, mirror.header);
    if (text === undefined || !isSame(text, argument)) {
      throw mismatch(`Mcp-Param-${mirror.name}`, where);
    }
  }
}

/** The decoded value; `undefined` when the header is missing, repeated or malformed. */
function readHeader(http: HttpRequestFacts, name: string): string | undefined {
  const value = http.header(name);
  if (value === undefined) return undefined;
  // Several headers of one name arrive joined, which can look like one.
  return value.includes(",") && http.isRepeated(name) ? undefined : decodeHeaderValue(value);
}

function readPath(args: JsonObject, path: readonly string[]): unknown {
  let value: unknown = args;
  for (const key of path) {
    if (!isObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

const decimal = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function isSame(text: string, argument: unknown): boolean {
  switch (typeof argument) {
    case "string":
      return text === argument;
    case "boolean":
      return text === String(argument);
    case "number":
      // Beyond 2^53 two different integers can look equal.
      return Number.isSafeInteger(argument) && decimal.test(text) && Number(text) === argument;
    default:
      return false;
  }
}

function mismatch(header: string, what: string): RpcError {
  return RpcError.headerMismatch(`The header ${header} must be present once and equal ${what}`);
}
