import { type Cancellation, TimeLimitError } from "../core/cancellation.ts";
import type { MaybePromise } from "../core/maybe-promise.ts";

/** The server has no place left for another request. */
export class OverloadError extends Error {
  override readonly name: string = "OverloadError";
}

/** A request as the gate needs it. */
export interface Cancellable {
  readonly call: { readonly cancellation: Cancellation };
}

/** Lets a bounded number of requests run at once, a bounded number wait, and none run for ever. */
export class Gate {
  readonly #maxRunning: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(maxRunning: number, maxWaiting: number) {
    this.#maxRunning = maxRunning;
    this.#maxWaiting = maxWaiting;
  }

  /**
   * Runs `work` as soon as there is a place and gives its result. Throws {@link OverloadError} when the
   * queue is full. Rejects as soon as the request is cancelled or `limitMs`, waiting included, has
   * passed, which cancels it. Work that goes on after a cancellation keeps its place until it ends or
   * the limit passes.
   */
  run<Request extends Cancellable, T>(
    work: (request: Request) => MaybePromise<T>,
    request: Request,
    limitMs: number,
  ): MaybePromise<T> {
    if (this.#running >= this.#maxRunning) return this.#runLater(work, request, limitMs);
    this.#running += 1;
    return this.#start(work, request, limitMs);
  }

  async #runLater<Request extends Cancellable, T>(
    work: (request: Request) => MaybePromise<T>,
    request: Request,
    limitMs: number,
  ): Promise<T> {
    if (this.#waiting.length >= this.#maxWaiting) {
      throw new OverloadError("The server is at its limits inFlight and queue; try again later");
    }
    const startedAt = performance.now();
    await this.#wait(request.call.cancellation, limitMs);
    const leftMs = Math.max(1, limitMs - (performance.now() - startedAt));
    return this.#start(work, request, leftMs);
  }

  /** Resolves with a place taken. */
  #wait(cancellation: Cancellation, limitMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => cancellation.cancel(notWithin(limitMs)), limitMs);
      const admit = (): void => {
        clearTimeout(timer);
        forget();
        resolve();
      };
      const forget = cancellation.onCancel((reason) => {
        clearTimeout(timer);
        this.#waiting.splice(this.#waiting.indexOf(admit), 1);
        reject(reason);
      });
      this.#waiting.push(admit);
    });
  }

  #start<Request extends Cancellable, T>(
    work: (request: Request) => MaybePromise<T>,
    request: Request,
    limitMs: number,
  ): MaybePromise<T> {
    const { cancellation } = request.call;
    let isHeld = false;
    try {
      if (cancellation.reason !== undefined) throw cancellation.reason;
      const outcome = work(request);
      if (!(outcome instanceof Promise)) return outcome;
      isHeld = true;
      return this.#hold(outcome, cancellation, limitMs);
    } finally {
      if (!isHeld) this.#leave();
    }
  }

  #hold<T>(outcome: Promise<T>, cancellation: Cancellation, limitMs: number): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let isOver = false;
      const forget = cancellation.onCancel(reject);
      const timer = setTimeout(() => {
        isOver = true;
        this.#leave();
        cancellation.cancel(notWithin(limitMs));
      }, limitMs);
      const end = (): void => {
        forget();
        if (isOver) return;
        clearTimeout(timer);
        this.#leave();
      };
      outcome.then(
        (value) => {
          end();
          resolve(value);
        },
        (error: unknown) => {
          end();
          reject(error);
        },
      );
    });
  }

  /** Gives the place to the one who waits longest. */
  #leave(): void {
    const admit = this.#waiting.shift();
    if (admit === undefined) this.#running -= 1;
    else admit();
  }
}

function notWithin(limitMs: number): TimeLimitError {
  return new TimeLimitError(`Not finished within ${Math.ceil(limitMs)} ms`);
}
