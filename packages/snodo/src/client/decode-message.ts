import { type Message, parseMessage } from "../jsonrpc/message.ts";

const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * The message that a server sent as text or bytes; `undefined` when it is not UTF-8 or not JSON. Its
 * depth is not limited here, so that one hostile entry of a list does not take the others with it.
 */
export function decodeMessage(data: string | Uint8Array): Message | undefined {
  try {
    return parseMessage(JSON.parse(typeof data === "string" ? data : strictUtf8.decode(data)));
  } catch {
    return undefined;
  }
}
