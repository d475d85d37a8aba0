import { GatheredBytes } from "../gathered-bytes.ts";

const lineFeed = 0x0a;

/**
 * Cuts a stream of bytes into lines at LF only, so that no character can be cut in two. A line longer
 * than the limit is reported once and skipped up to its end; nothing of it is kept.
 */
export class LineSplitter {
  readonly #maxBytes: number;
  readonly #line = new GatheredBytes();
  #isSkipping = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Takes the next bytes; calls `onLine` for each complete line (without its LF). */
  push(chunk: Buffer, onLine: (line: Buffer) => void, onTooLong: () => void): void {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(lineFeed, start);
      if (end === -1) break;
      this.#take(chunk.subarray(start, end), onTooLong);
      this.#finish(onLine);
      start = end + 1;
    }
    if (start < chunk.length) this.#take(chunk.subarray(start), onTooLong);
  }

  /** The stream has ended: what is left counts as a line. */
  end(onLine: (line: Buffer) => void): void {
    this.#finish(onLine);
  }

  #take(part: Buffer, onTooLong: () => void): void {
    if (this.#isSkipping || part.length === 0) return;
    this.#line.add(part);
    if (this.#line.length <= this.#maxBytes) return;
    this.#line.take();
    this.#isSkipping = true;
    onTooLong();
  }

  #finish(onLine: (line: Buffer) => void): void {
    const { length: size } = this.#line;
    const bytes = this.#line.take();
    this.#isSkipping = false;
    if (size === 0) return;
    onLine(Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, size));
  }
}
