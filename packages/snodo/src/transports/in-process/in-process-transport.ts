import { copyJson, type JsonObject } from "../../json/value.ts";
import { EncodedJson, type ResponseMessage } from "../../jsonrpc/message.ts";
import type { Call } from "../../core/call.ts";
import { Cancellation, CancelledError } from "../../core/cancellation.ts";
import type { Auth } from "../../core/context.ts";
import { ClientError } from "../../client/client-error.ts";
import type { ClientTransport, OutgoingRequest, TransportEvents } from "../../client/transport.ts";
import { dispatch } from "../../server/dispatch.ts";
import { engineOf, type Servable } from "../../server/serving.ts";

/**
 * Serves the client in the same process, through the code that serves every other transport.
 * Results are copied, as the client copies arguments: neither side can change what is the other's.
 */
export class InProcessTransport implements ClientTransport {
  readonly kind = "in-process";
  readonly #servable: Servable;
  readonly #auth: Auth | undefined;
  #events: TransportEvents | undefined;

  /** Throws `TypeError` for a value that `createServer` did not make. */
  constructor(servable: Servable, auth: Auth | undefined) {
    engineOf(servable);
    this.#servable = servable;
    this.#auth = auth;
  }

  async start(events: TransportEvents): Promise<void> {
    this.#events = events;
  }

  async send(
    { id, method, params }: OutgoingRequest,
    cancellation: Cancellation,
  ): Promise<ResponseMessage> {
    const message = { jsonrpc: "2.0", id, method, params };
    const reply = await dispatch(engineOf(this.#servable), message, this.#call(cancellation));
    switch (reply.kind) {
      case "result":
        return { kind: "response", id, result: toResult(reply.result) };
      case "error":
        return { kind: "response", id, error: copyJson(reply.error.toJSON()) };
      case "none":
        throw new ClientError("closed", "The request was cancelled", { outcome: "unknown" });
    }
  }

  async close(): Promise<void> {}

  #call(cancellation: Cancellation): Call {
    const served = new Cancellation();
    cancellation.onCancel(() =>
      served.cancel(new CancelledError("The client cancelled the request")),
    );
    return {
      transport: "in-process",
      cancellation: served,
      auth: this.#auth,
      http: undefined,
      notify: (method, params) => this.#events?.notify(method, copyJson(params)),
    };
  }
}

const parsed = new WeakMap<EncodedJson, JsonObject>();

function toResult(result: object): JsonObject {
  if (!(result instanceof EncodedJson)) return copyJson(result) as JsonObject;
  let value = parsed.get(result);
  if (value === undefined) {
    value = JSON.parse(result.text) as JsonObject;
    parsed.set(result, value);
  }
  return copyJson(value);
}
