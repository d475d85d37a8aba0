import type { Limits } from "../core/limits.ts";

/** Decides which progress updates of one request are sent, and counts the others. spec: PRG-2 */
export class ProgressMeter {
  readonly #limits: Limits;
  #sent = 0;
  #dropped = 0;
  #last = Number.NEGATIVE_INFINITY;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** How many updates did not grow, or were over a limit. */
  get dropped(): number {
    return this.#dropped;
  }

  /** True when the update may be sent. */
  admit(done: number, total: number | undefined, message: string | undefined): boolean {
    const { progressUpdates, progressMessageBytes } = this.#limits;
    const isAllowed =
      done > this.#last &&
      Number.isFinite(done) &&
      (total === undefined || Number.isFinite(total)) &&
      this.#sent < progressUpdates &&
      (message === undefined || byteLength(message) <= progressMessageBytes);
    if (isAllowed) {
      this.#last = done;
      this.#sent += 1;
    } else {
      this.#dropped += 1;
    }
    return isAllowed;
  }
}

function byteLength(message: unknown): number {
  return typeof message === "string" ? new TextEncoder().encode(message).length : Infinity;
}
