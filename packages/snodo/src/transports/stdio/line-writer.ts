import type { Writable } from "node:stream";

/** How much is gathered before it is written, in characters. */
const maxPending = 64 * 1024;

/**
 * Writes lines: those of one turn of the event loop leave in one write, so that many answers cost one
 * system call. Tells when the reader does not keep up.
 */
export class LineWriter {
  readonly #write: Writable["write"];
  readonly #onPressure: (isHigh: boolean) => void;
  readonly #output: Writable;
  readonly #onDrain: () => void;
  #pending = "";
  #isScheduled = false;

  constructor(output: Writable, write: Writable["write"], onPressure: (isHigh: boolean) => void) {
    this.#write = write;
    this.#onPressure = onPressure;
    this.#output = output;
    this.#onDrain = () => onPressure(false);
    output.on("drain", this.#onDrain);
  }

  /** Writes one line, soon. */
  readonly write = (line: string): void => {
    this.#pending += `${line}\n`;
    if (this.#pending.length > maxPending) this.#flush();
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#flush();
    });
  };

  /** Lets go of the output. */
  dispose(): void {
    this.#output.off("drain", this.#onDrain);
  }

  /** Writes what is pending and resolves when it has left the process, or cannot. */
  async drain(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#flush(() => resolve());
    });
  }

  #flush(onWritten?: () => void): void {
    const text = this.#pending;
    this.#pending = "";
    if (text === "" && onWritten === undefined) return;
    if (!this.#write(text, onWritten)) this.#onPressure(true);
  }
}
