import { CancelledError } from "../core/cancellation.ts";
import type { PendingCall } from "./pending-call.ts";

interface Reading {
  readonly work: Promise<void>;
  readonly waiting: Set<PendingCall>;
  readonly controller: AbortController;
}

/** Reads something; calls `onSign` for each part, so that those who wait know that it goes on. */
type Read = (signal: AbortSignal, onSign: () => void) => Promise<void>;

/**
 * Work that calls at the same time share. It has no time limit: each call waits by its own, and the
 * last one that leaves ends the work.
 */
export class SharedReading {
  readonly #read: Read;
  #current: Reading | undefined;

  constructor(read: Read) {
    this.#read = read;
  }

  /** Settles with the work. Ends the work when `call` is given up and no other waits for it. */
  async join(call: PendingCall): Promise<void> {
    const reading = (this.#current ??= this.#begin());
    const leave = (): void => {
      reading.waiting.delete(call);
      if (reading.waiting.size > 0) return;
      if (this.#current === reading) this.#current = undefined;
      reading.controller.abort(new CancelledError("Nobody waits for the list any more"));
    };
    reading.waiting.add(call);
    call.cancellation.onCancel(leave);
    try {
      await reading.work;
    } finally {
      if (this.#current === reading) this.#current = undefined;
    }
  }

  #begin(): Reading {
    const controller = new AbortController();
    const waiting = new Set<PendingCall>();
    const onSign = (): void => {
      for (const call of waiting) call.keepAlive();
    };
    return { work: this.#read(controller.signal, onSign), waiting, controller };
  }
}
