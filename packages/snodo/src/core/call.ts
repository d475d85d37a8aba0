import type { JsonObject } from "../json/value.ts";
import type { RequestId } from "../jsonrpc/message.ts";
import type { Cancellation } from "./cancellation.ts";
import type { Auth } from "./context.ts";

/** What a message that came over HTTP brought with it. */
export interface HttpRequestFacts {
  readonly url: string;
  /** The header of this lower-case name; several are joined with `, `. */
  header(name: string): string | undefined;
  /** True when the header is there more than once, as far as that is known. */
  isRepeated(name: string): boolean;
}

/** What a transport knows about one incoming message and can do for it. */
export interface Call {
  readonly transport: "http" | "stdio" | "in-process";
  /** Cancelled by the transport when the caller is gone. */
  readonly cancellation: Cancellation;
  readonly auth: Auth | undefined;
  /** Present on Streamable HTTP only: there the headers mirror the body. */
  readonly http: HttpRequestFacts | undefined;
  /** Sends a notification that belongs to this request, before its answer. */
  notify(method: string, params: JsonObject): void;
  /** Cancels another request of the same peer; absent where a transport has its own way. */
  cancelRequest?(id: RequestId, reason: string | undefined): void;
}
