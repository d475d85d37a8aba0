import type { JsonObject } from "../../json/value.ts";
import { RpcError } from "../../jsonrpc/error.ts";
import type { Dialect } from "../dialect.ts";
import { encodeResult } from "./encode.ts";
import { checkHeaders, checkMirrors } from "./headers.ts";
import { methods } from "./methods.ts";

/** Revision 2026-07-28: every request carries its version and capabilities; nothing is remembered. */
export const dialect20260728: Dialect = Object.freeze({
  version: "2026-07-28",
  decodeOperation: (message, call, server) => {
    const { method, params } = message;
    const row = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (call.http !== undefined) checkHeaders(call.http, message, row?.nameParam);
    const isServed =
      row?.capability === undefined || server.capabilities[row.capability] !== undefined;
    if (row === undefined || !isServed) throw notFound(method, server.versions);
    return row.decode(params);
  },
  checkMirrors: (mirrors, args, call) => {
    if (call.http !== undefined) checkMirrors(mirrors, args, call.http);
  },
  encodeResult,
  encodeProgress: ({ token, done, total, message }) => {
    const params: { [key: string]: JsonObject[string] } = { progressToken: token, progress: done };
    if (total !== undefined) params["total"] = total;
    if (message !== undefined) params["message"] = message;
    return { method: "notifications/progress", params };
  },
} satisfies Dialect);

function notFound(method: string, versions: readonly string[]): RpcError {
  const error = RpcError.methodNotFound(method.slice(0, 128));
  if (method !== "initialize") return error;
  // Older clients show this text and have no other way to learn the versions. spec: VER-6
  return new RpcError(error.code, `${error.message}; this server speaks ${versions.join(", ")}`);
}
