import { isDeeperThan } from "../json/value.ts";
import { RpcError } from "./error.ts";

const byteOrderMark = 0xfeff;

/**
 * The value of one JSON text. A leading byte order mark is skipped; of repeated keys the last one
 * counts. Throws `RpcError` -32700 when it is not JSON or is nested deeper than `maxDepth`; the
 * message quotes nothing of the text.
 */
export function decodeJson(text: string, maxDepth: number): unknown {
  const json = text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw RpcError.parseError("The message is not valid JSON");
  }
  if (isDeeperThan(value, maxDepth)) {
    throw RpcError.parseError(
      `The message is nested deeper than ${maxDepth} levels (limit: jsonDepth)`,
    );
  }
  return value;
}
