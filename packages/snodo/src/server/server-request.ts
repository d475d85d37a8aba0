import { isObject } from "../json/value.ts";
import type { Call } from "../core/call.ts";
import type { Auth, Context } from "../core/context.ts";
import { emit } from "../core/events.ts";
import { ProgressMeter } from "./progress-meter.ts";
import type { Operation } from "../core/operation.ts";
import type { RequestMessage } from "../jsonrpc/message.ts";
import type { Selection } from "../dialects/select.ts";
import type { Instrumentation } from "../core/events.ts";
import type { Limits } from "../core/limits.ts";

interface Admitted extends Selection {
  readonly call: Call;
  readonly message: RequestMessage;
  readonly operation: Operation;
  /** The tool's name, if the request is about one that exists. */
  readonly target: string | undefined;
  readonly timeLimitMs: number;
}

/** What a request needs of its server. */
interface Surroundings {
  readonly limits: Limits;
  readonly sink: Instrumentation | undefined;
}

const noState: object = Object.freeze({});

/** One admitted request with all that its operation needs. Its `context` is what authors see. */
export class ServerRequest {
  readonly call: Call;
  readonly dialect: Selection["dialect"];
  readonly message: RequestMessage;
  readonly operation: Operation;
  readonly timeLimitMs: number;
  readonly context: Context<never>;
  /** True when the caller asked for progress; then `finish` must be called at the end. */
  readonly reportsProgress: boolean;
  /** Arguments of a tool call once they are checked. */
  checkedArguments: unknown;
  readonly #envelope: Selection["envelope"];
  readonly #surroundings: Surroundings;
  readonly #target: string | undefined;
  #state: object;
  #progress: ProgressMeter | undefined;
  #isFinished: boolean;

  constructor(surroundings: Surroundings, admitted: Admitted) {
    this.call = admitted.call;
    this.dialect = admitted.dialect;
    this.message = admitted.message;
    this.operation = admitted.operation;
    this.timeLimitMs = admitted.timeLimitMs;
    this.#target = admitted.target;
    this.reportsProgress = admitted.envelope.progressToken !== undefined;
    this.#envelope = admitted.envelope;
    this.#surroundings = surroundings;
    this.#state = noState;
    this.#isFinished = false;
    this.context = new RequestContext(this, admitted.envelope) as unknown as Context<never>;
  }

  /** What events say about this request. */
  describe(): {
    transport: Call["transport"];
    method: string;
    target: string | undefined;
    protocolVersion: string;
  } {
    return {
      transport: this.call.transport,
      method: this.message.method,
      target: this.#target,
      protocolVersion: this.dialect.version,
    };
  }

  get state(): object {
    return this.#state;
  }

  mergeState(state: object): void {
    this.#state = { ...this.#state, ...state };
  }

  /** Sends one progress notification if the caller asked for them and the limits allow it. */
  progress(done: number, total: number | undefined, message: string | undefined): void {
    const token = this.#envelope.progressToken;
    if (token === undefined || this.#isFinished) return;
    this.#progress ??= new ProgressMeter(this.#surroundings.limits);
    if (!this.#progress.admit(done, total, message)) return;
    const update = this.dialect.encodeProgress({ token, done, total, message });
    this.call.notify(update.method, update.params);
  }

  /** Nothing is sent for this request from here on. */
  finish(): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    const count = this.#progress?.dropped ?? 0;
    if (count === 0) return;
    emit(this.#surroundings.sink, { type: "progress.dropped", count, ...this.describe() });
  }
}

class RequestContext implements Context<object> {
  readonly #request: ServerRequest;
  readonly #envelope: Selection["envelope"];

  constructor(request: ServerRequest, envelope: Selection["envelope"]) {
    this.#request = request;
    this.#envelope = envelope;
  }

  get signal(): AbortSignal {
    return this.#request.call.cancellation.signal;
  }

  get request(): Context["request"] {
    const { id, method, params } = this.#request.message;
    return { id, method, params, protocolVersion: this.#request.dialect.version };
  }

  get client(): Context["client"] {
    const { clientInfo, clientCapabilities } = this.#envelope;
    return {
      info: clientInfo,
      capabilities: clientCapabilities,
      supports: (capability) => supports(clientCapabilities, capability),
    };
  }

  get auth(): Auth | undefined {
    return this.#request.call.auth;
  }

  get http(): Context["http"] {
    const { http } = this.#request.call;
    if (http === undefined) return undefined;
    return { url: http.url, headers: { get: (name) => http.header(name.toLowerCase()) } };
  }

  get state(): object {
    return this.#request.state;
  }

  get trace(): Context["trace"] {
    return this.#envelope.trace;
  }

  // Bound, so that handlers may take it out of the context.
  get progress(): Context["progress"] {
    return (done, total, message) => this.#request.progress(done, total, message);
  }
}

function supports(capabilities: object, path: string): boolean {
  let value: unknown = capabilities;
  for (const key of path.split(".")) {
    if (!isObject(value) || !Object.hasOwn(value, key)) return false;
    value = value[key];
  }
  return true;
}
