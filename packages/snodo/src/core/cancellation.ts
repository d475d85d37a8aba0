/**
 * Says that nobody waits for a request any more, and why. The transport that received the request
 * cancels; handlers see it as an `AbortSignal`, which is made only when somebody reads it.
 */
export class Cancellation {
  /** Why, once cancelled. */
  reason: Error | undefined;
  #controller: AbortController | undefined;
  #listeners: Set<(reason: Error) => void> | undefined;

  /** Aborted on cancellation, with the same reason. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.reason !== undefined) this.#controller.abort(this.reason);
    }
    return this.#controller.signal;
  }

  /** Calls `listener` once on cancellation; returns a function that takes it back. */
  onCancel(listener: (reason: Error) => void): () => void {
    if (this.reason !== undefined) listener(this.reason);
    this.#listeners ??= new Set();
    this.#listeners.add(listener);
    return () => this.#listeners?.delete(listener);
  }

  /** Cancels; only the first call counts. */
  cancel(reason: Error): void {
    if (this.reason !== undefined) return;
    this.reason = reason;
    this.#controller?.abort(reason);
    const listeners = this.#listeners ?? [];
    this.#listeners = undefined;
    for (const listener of listeners) listener(reason);
  }
}

/** The caller cancelled or went away: nothing is sent any more. */
export class CancelledError extends Error {
  override readonly name: string = "CancelledError";
}

/** A time limit passed; the message names the limit. */
export class TimeLimitError extends Error {
  override readonly name: string = "TimeLimitError";
}
