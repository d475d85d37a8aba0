import type { JsonObject } from "../json/value.ts";
import { Cancellation, CancelledError } from "../core/cancellation.ts";
import { notify } from "../core/notify.ts";
import { ClientError, type Outcome } from "./client-error.ts";
import type { Progress, RequestOptions } from "./options.ts";
import { onAbort } from "./watch-signal.ts";

/** When a request is given up. */
export interface Deadline {
  /** Silence allowed, in milliseconds. */
  readonly timeoutMs: number;
  readonly totalTimeoutMs: number;
  /** End of the total time, by `performance.now()`. */
  readonly endsAt: number;
}

/** Work that a caller waits for: ends with its outcome, its time, the caller's signal or the client. */
export class PendingCall {
  /** Cancelled when the work is given up. */
  readonly cancellation: Cancellation = new Cancellation();
  readonly #deadline: Deadline;
  readonly #options: RequestOptions;
  #reject: (reason: unknown) => void = () => {};
  #forgetSignal: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastSignOfLife: number;
  #isOver = false;

  constructor(deadline: Deadline, options: RequestOptions) {
    this.#deadline = deadline;
    this.#options = options;
    this.#lastSignOfLife = performance.now();
  }

  /**
   * Does the work and gives its outcome; does nothing when it is too late. `ifTimedOut` says whether the
   * server may have executed the request then. Call `end` when the promise has settled.
   */
  run<T>(work: () => Promise<T>, ifTimedOut: Outcome): Promise<T> {
    const { signal } = this.#options;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) throw signal.reason;
      this.#reject = reject;
      this.#wait(ifTimedOut);
      if (this.#isOver) return;
      if (signal !== undefined) {
        this.#forgetSignal = onAbort(signal, () => this.fail(signal.reason));
      }
      work().then(resolve, reject);
    });
  }

  /** The server goes on: the silence is over. */
  keepAlive(): void {
    this.#lastSignOfLife = performance.now();
  }

  /** Progress of this request arrived. */
  progress(params: JsonObject): void {
    const { progress, total, message } = params;
    if (this.#isOver || typeof progress !== "number") return;
    this.keepAlive();
    const update: Progress = {
      progress,
      ...(typeof total === "number" ? { total } : {}),
      ...(typeof message === "string" ? { message } : {}),
    };
    notify(this.#options.onProgress, update);
  }

  /** Gives the request up: the caller gets `reason`, the server learns only that. */
  fail(reason: unknown): void {
    if (this.#isOver) return;
    this.end();
    this.#reject(reason);
    this.cancellation.cancel(new CancelledError("The client gave the request up"));
  }

  /** Releases timer and listener. */
  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#forgetSignal?.();
  }

  /** One timer for both limits; progress only moves the mark that it compares with. */
  #wait(ifTimedOut: Outcome): void {
    const { timeoutMs, totalTimeoutMs, endsAt } = this.#deadline;
    const now = performance.now();
    const idleLeft = this.#lastSignOfLife + timeoutMs - now;
    const left = Math.min(idleLeft, endsAt - now);
    if (left > 0) {
      this.#timer = setTimeout(() => this.#wait(ifTimedOut), left);
      return;
    }
    const message =
      idleLeft <= 0
        ? `No answer and no progress within ${timeoutMs} ms (option timeoutMs)`
        : `Not finished within ${totalTimeoutMs} ms (option totalTimeoutMs)`;
    this.fail(new ClientError("timeout", message, { outcome: ifTimedOut }));
  }
}
