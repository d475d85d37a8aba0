import { copyJson, findNonJson, freezeJson, type JsonObject } from "../json/value.ts";
import { toPointer } from "../json/pointer.ts";
import { notify } from "../core/notify.ts";
import type { ResponseMessage } from "../jsonrpc/message.ts";
import type { HeaderAnnotation } from "../schema/header-annotations.ts";
import { ClientError } from "./client-error.ts";
import { composeMeta, mirrorHeaders, type Requester } from "./compose-request.ts";
import { completeResult } from "./decode-result.ts";
import {
  checkTimes,
  type ClientSettings,
  type RequestOptions,
  type WarningKind,
} from "./options.ts";
import { type Deadline, PendingCall } from "./pending-call.ts";
import type { ClientTransport, OutgoingRequest, TransportEvents } from "./transport.ts";

/** One request before it is sent. */
export interface Question {
  readonly method: string;
  /** Belongs to the connection, see {@link Connection.own}; `_meta` is added. */
  readonly params: object;
  readonly options: RequestOptions;
  readonly deadline: Deadline;
  /** Arguments that HTTP headers mirror. */
  readonly mirrors?: readonly HeaderAnnotation[];
}

/** Sends requests over a transport and bounds their time; knows all that are in flight. */
export class Connection {
  readonly #transport: ClientTransport;
  readonly #settings: ClientSettings;
  readonly #requester: Requester;
  readonly #pending = new Map<number, PendingCall>();
  #lastId = 0;
  #closing: Promise<void> | undefined;

  constructor(transport: ClientTransport, settings: ClientSettings) {
    this.#transport = transport;
    this.#settings = settings;
    const { info, capabilities } = settings;
    this.#requester = freezeJson({ info, capabilities } as unknown as Requester);
  }

  get kind(): ClientTransport["kind"] {
    return this.#transport.kind;
  }

  /** Opens the transport; takes no longer than a request may. */
  start(options: RequestOptions): Promise<void> {
    const events: TransportEvents = {
      notify: (method, params) => this.#receive(method, params),
      warn: (kind, message) => this.warn(kind, message),
    };
    return this.wait(options, this.deadline(options), () => this.#transport.start(events));
  }

  /** Hands a warning to the user, whatever the user's function does. */
  warn(kind: WarningKind, message: string): void {
    notify(this.#settings.onWarning, { kind, message });
  }

  /** Waits for what comes before a request, by the request's own signal and deadline. */
  async wait(
    options: RequestOptions,
    deadline: Deadline,
    work: (call: PendingCall) => Promise<void>,
  ): Promise<void> {
    const call = new PendingCall(deadline, options);
    try {
      await call.run(() => work(call), "none");
    } finally {
      call.end();
    }
  }

  /**
   * A value of the caller that may be sent: copied where it would not become text. Throws `TypeError`
   * for what JSON cannot carry; `what` names the value.
   */
  own<T>(value: T, what: string): T {
    const problem = findNonJson(value);
    if (problem !== undefined) {
      const pointer = toPointer(problem.path);
      throw new TypeError(`${what}${pointer === "" ? "" : ` at ${pointer}`}: ${problem.rule}`);
    }
    return this.kind === "in-process" ? copyJson(value) : value;
  }

  /** When a request that begins now is given up. Throws `TypeError` for a wrong time. */
  deadline(options: RequestOptions): Deadline {
    checkTimes(options);
    const { timeoutMs = this.#settings.timeoutMs } = options;
    const { totalTimeoutMs = this.#settings.totalTimeoutMs } = options;
    return { timeoutMs, totalTimeoutMs, endsAt: performance.now() + totalTimeoutMs };
  }

  /**
   * Sends one request and gives its complete result. Rejects with `RpcError`, `ClientError` or the
   * reason of the caller's signal.
   */
  async ask({ method, params, options, deadline, mirrors = [] }: Question): Promise<JsonObject> {
    if (this.#closing !== undefined) {
      throw new ClientError("closed", "The client was closed", { outcome: "none" });
    }
    this.#lastId += 1;
    const id = this.#lastId;
    const extra = options.meta && this.own(options.meta, "The option meta");
    const complete = Object.assign(params, { _meta: composeMeta(this.#requester, id, extra) });
    const request: OutgoingRequest = {
      id,
      method,
      params: complete,
      headers: this.kind === "http" ? mirrorHeaders(method, complete, mirrors) : {},
      isSafe: safeMethods.has(method),
    };
    const call = new PendingCall(deadline, options);
    this.#pending.set(id, call);
    try {
      const send = (): Promise<ResponseMessage> => this.#transport.send(request, call.cancellation);
      return completeResult(await call.run(send, "unknown"));
    } finally {
      call.end();
      this.#pending.delete(id);
    }
  }

  /** Gives up what is in flight and closes the transport. Never rejects. */
  close(): Promise<void> {
    if (this.#closing === undefined) {
      const reason = new ClientError("closed", "The client was closed", { outcome: "unknown" });
      for (const call of this.#pending.values()) call.fail(reason);
      this.#closing = closed(this.#transport);
    }
    return this.#closing;
  }

  #receive(method: string, params: JsonObject): void {
    const { progressToken } = params;
    if (method !== "notifications/progress" || typeof progressToken !== "number") return;
    this.#pending.get(progressToken)?.progress(params);
  }
}

async function closed(transport: ClientTransport): Promise<void> {
  try {
    await transport.close();
  } catch {
    // Nobody can do anything about it.
  }
}

/** Methods that only read, so that sending them twice does no harm. */
const safeMethods: ReadonlySet<string> = new Set(["server/discover", "tools/list"]);
