import { RpcError } from "../jsonrpc/error.ts";
import { EncodedJson, encodeError, type RequestId } from "../jsonrpc/message.ts";

/** How far a message came before it was refused; HTTP derives its status from it. */
export type Stage = "message" | "admission" | "overload" | "execution";

/** What became of one incoming message. Transports turn it into bytes. */
export type Reply =
  /** `result` in wire form, or an `EncodedJson` of it. */
  | { readonly kind: "result"; readonly id: RequestId; readonly result: object }
  | {
      readonly kind: "error";
      readonly id: RequestId | undefined;
      readonly stage: Stage;
      readonly error: RpcError;
    }
  /** Nothing to send: a notification, a cancelled request, or (refused) a response nobody asked for. */
  | { readonly kind: "none"; readonly isRefused: boolean };

/** The reply to an accepted notification. */
export const accepted: Reply = Object.freeze({ kind: "none", isRefused: false });

/** The reply to a message that must not be answered and was not wanted. */
export const ignored: Reply = Object.freeze({ kind: "none", isRefused: true });

/** The JSON text of a reply that is sent; an error if the result is more than a string can hold. */
export function encodeReply(reply: Exclude<Reply, { kind: "none" }>): string {
  if (reply.kind === "error") return encodeError(reply.id, reply.error);
  try {
    const { id, result } = reply;
    const text = result instanceof EncodedJson ? result.text : JSON.stringify(result);
    return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${text}}`;
  } catch {
    return encodeError(reply.id, RpcError.internal("The result cannot be sent"));
  }
}
