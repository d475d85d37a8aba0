/**
 * Bytes that arrive in parts, however small: never more than about twice their size is held. A single
 * part is kept as it came.
 */
export class GatheredBytes {
  #bytes: Uint8Array = new Uint8Array(0);
  #size = 0;

  /** How many bytes there are. */
  get length(): number {
    return this.#size;
  }

  add(part: Uint8Array): void {
    const size = this.#size + part.length;
    if (this.#size === 0) this.#bytes = part;
    else {
      if (size > this.#bytes.length) this.#grow(size * 2);
      this.#bytes.set(part, this.#size);
    }
    this.#size = size;
  }

  /** All bytes so far; the next part begins anew. */
  take(): Uint8Array {
    const whole = this.#bytes.subarray(0, this.#size);
    this.#bytes = new Uint8Array(0);
    this.#size = 0;
    return whole;
  }

  #grow(capacity: number): void {
    const grown = new Uint8Array(capacity);
    grown.set(this.#bytes.subarray(0, this.#size));
    this.#bytes = grown;
  }
}
