import { isJsonObject, isObject, type JsonObject } from "../json/value.ts";
import { RpcError, type ErrorObject } from "./error.ts";

/** A request id: a string of at most 256 bytes, or a safe integer. spec: BASE-3, BASE-4 */
export type RequestId = string | number;

/** A request: it has an id and is owed exactly one response. */
export interface RequestMessage {
  readonly kind: "request";
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
}

/** A notification: no id, never answered. */
export interface NotificationMessage {
  readonly kind: "notification";
  readonly method: string;
  readonly params: JsonObject;
}

/** A response, with a `result` or an `error`; its id is absent when the peer could not read it. */
export interface ResponseMessage {
  readonly kind: "response";
  readonly id: RequestId | undefined;
  readonly result?: JsonObject;
  readonly error?: ErrorObject;
}

/** Anything else; `id` is there when it could be read, so that the error can carry it. */
export interface InvalidMessage {
  readonly kind: "invalid";
  readonly id: RequestId | undefined;
  readonly error: RpcError;
  /** True when it was meant as a notification, which is never answered. spec: BASE-9 */
  readonly isNotification: boolean;
}

/** One parsed JSON-RPC message. */
export type Message = RequestMessage | NotificationMessage | ResponseMessage | InvalidMessage;

const maxIdBytes = 256;
const noParams: JsonObject = Object.freeze({});

/**
 * Sorts one decoded JSON value into request, notification, response or invalid. Never throws. Keys
 * are exact and case-sensitive; unknown members are ignored. spec: basic#messages
 */
export function parseMessage(value: unknown): Message {
  if (!isObject(value)) {
    const what = Array.isArray(value) ? "a batch" : "not an object";
    return invalid(undefined, `Expected one JSON-RPC message, got ${what}`);
  }
  const id = isRequestId(value.id) ? value.id : undefined;
  if (value.jsonrpc !== "2.0") return invalid(id, 'The member "jsonrpc" must be "2.0"');
  if (value.method === undefined && ("result" in value || "error" in value)) {
    return parseResponse(value, id);
  }
  if (typeof value.method !== "string") return invalid(id, 'The member "method" must be a string');
  const params = value.params === undefined ? noParams : value.params;
  const isNotification = !("id" in value);
  if (!isJsonObject(params)) {
    return { ...invalid(id, 'The member "params" must be an object'), isNotification };
  }
  const { method } = value;
  if (isNotification) return { kind: "notification", method, params };
  if (id === undefined) {
    return invalid(
      undefined,
      `The member "id" must be a string of at most ${maxIdBytes} bytes or an integer`,
    );
  }
  return { kind: "request", id, method, params };
}

function parseResponse(
  value: { readonly [key: string]: unknown },
  id: RequestId | undefined,
): Message {
  const { result, error } = value;
  if (isJsonObject(result) && error === undefined) return { kind: "response", id, result };
  if (isErrorObject(error) && result === undefined) return { kind: "response", id, error };
  return invalid(
    id,
    'A response must have either an object "result" or an "error" with code and message',
  );
}

function isErrorObject(value: unknown): value is ErrorObject {
  return isObject(value) && Number.isInteger(value.code) && typeof value.message === "string";
}

/** True for a value that may be a request id. */
export function isRequestId(value: unknown): value is RequestId {
  if (typeof value === "number") return Number.isSafeInteger(value);
  if (typeof value !== "string") return false;
  // A UTF-16 unit takes at most three bytes, so short ids need no count.
  return value.length * 3 <= maxIdBytes || new TextEncoder().encode(value).length <= maxIdBytes;
}

function invalid(id: RequestId | undefined, message: string): InvalidMessage {
  return { kind: "invalid", id, error: RpcError.invalidRequest(message), isNotification: false };
}

/** A result that is already JSON text, so that it can be sent again without encoding it again. */
export class EncodedJson {
  readonly text: string;

  constructor(value: object) {
    this.text = JSON.stringify(value);
  }
}

/** The JSON text of an error response; without an id the member is left out. spec: BASE-7 */
export function encodeError(id: RequestId | undefined, error: RpcError): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error });
}

/** The JSON text of a notification. */
export function encodeNotification(method: string, params: JsonObject): string {
  return JSON.stringify({ jsonrpc: "2.0", method, params });
}
