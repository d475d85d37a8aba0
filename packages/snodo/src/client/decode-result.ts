import {
  isDeeperThan,
  isJsonObject,
  isObject,
  maxJsonDepth,
  type JsonObject,
  type JsonValue,
} from "../json/value.ts";
import { RpcError } from "../jsonrpc/error.ts";
import type { ResponseMessage } from "../jsonrpc/message.ts";
import type { ContentBlock } from "../core/content.ts";
import type { Implementation } from "../core/implementation.ts";
import { metaKeys } from "../dialects/envelope.ts";
import { ClientError } from "./client-error.ts";
import { peerText } from "./peer-text.ts";

/** What a server says about itself. */
export interface ServerDescription {
  /** As the server calls itself; for display only. */
  readonly info?: Implementation;
  readonly supportedVersions: readonly string[];
  readonly capabilities: JsonObject;
  /** Guidance for the model. */
  readonly instructions?: string;
}

interface AnyCallResult {
  readonly content: readonly ContentBlock[];
  readonly _meta?: JsonObject;
}

/** A call that worked. `structuredContent` is `undefined` where there is none; `null` is a value. */
export interface CallSuccess<Output = JsonValue | undefined> extends AnyCallResult {
  readonly isError: false;
  readonly structuredContent: Output;
}

/** A call whose outcome is bad, as the tool says in `content`. */
export interface CallFailure extends AnyCallResult {
  readonly isError: true;
  readonly structuredContent?: JsonValue;
}

/** What a tool gave: a failure is a value, too. */
export type CallResult<Output = JsonValue | undefined> = CallSuccess<Output> | CallFailure;

/**
 * The result of a response. Throws `RpcError` for what the server answered, `ClientError` for a result
 * that is not complete. An absent `resultType` means complete. spec: RT-3, RT-4
 */
export function completeResult({ result, error }: ResponseMessage): JsonObject {
  if (error !== undefined) {
    assertShallow(error.data);
    throw new RpcError(error.code, error.message, { data: error.data });
  }
  if (result === undefined) throw breach("The response has neither a result nor an error");
  const { resultType } = result;
  if (resultType === undefined || resultType === "complete") return result;
  const type = typeof resultType === "string" ? `"${peerText(resultType)}"` : "not text";
  const message = `The resultType of the answer is ${type}, which this client cannot handle`;
  throw new ClientError("unsupported-result", message, { outcome: "unknown" });
}

/** Throws `ClientError` for what is nested deeper than 128 levels. */
export function assertShallow(value: unknown): void {
  if (!isDeeperThan(value, maxJsonDepth)) return;
  const message = `The answer is nested deeper than ${maxJsonDepth} levels`;
  throw new ClientError("limit", message, { outcome: "unknown" });
}

/**
 * A `tools/call` result with `isError` filled in; members that are not known stay. Throws
 * `ClientError`. spec: TOOL-10
 */
export function decodeCallResult(result: JsonObject): CallResult {
  const { content, isError = false } = result;
  if (!Array.isArray(content) || !content.every(isBlock)) {
    throw breach('The tool result must have an array "content" of blocks with a "type"');
  }
  if (typeof isError !== "boolean") throw breach('The member "isError" must be true or false');
  return Object.assign(result, { isError }) as unknown as CallResult;
}

function isBlock(block: unknown): boolean {
  return isObject(block) && typeof block.type === "string";
}

/** Reads a `server/discover` result. Throws `ClientError`. spec: DISC-1 */
export function decodeDiscovery(result: JsonObject): ServerDescription {
  const { supportedVersions, capabilities, instructions, _meta } = result;
  if (!Array.isArray(supportedVersions) || !supportedVersions.every(isString)) {
    throw breach('The discovery must have an array "supportedVersions" of strings');
  }
  if (!isJsonObject(capabilities)) throw breach('The discovery must have an object "capabilities"');
  const info = isObject(_meta) ? _meta[metaKeys.serverInfo] : undefined;
  return {
    supportedVersions,
    capabilities,
    ...(isImplementation(info) ? { info } : {}),
    ...(typeof instructions === "string" ? { instructions } : {}),
  };
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}

function isImplementation(value: unknown): value is Implementation {
  return isObject(value) && isString(value.name) && isString(value.version);
}

/** The error for an answer that is not what the protocol says. */
export function breach(message: string): ClientError {
  return new ClientError("protocol", message, { outcome: "unknown" });
}

/** Where the first number stands that had more digits than JavaScript keeps, if there is one. */
export function findRounded(value: unknown): readonly string[] | undefined {
  if (typeof value === "number") {
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? [] : undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const found = findRounded(item);
    if (found !== undefined) return [key, ...found];
  }
  return undefined;
}
