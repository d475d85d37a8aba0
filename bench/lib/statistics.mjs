/** The middle of `values`, or the mean of the two in the middle; NaN when there are none. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

const step = Math.log(1.01);

/** Counts durations in classes that are 1 % wide, from 1 µs to 20 minutes. */
export class Histogram {
  #classes = new Uint32Array(2100);
  #count = 0;

  /** Counts one duration. */
  add(ms) {
    const index = Math.floor(Math.log(ms * 1000) / step);
    this.#classes[Math.min(Math.max(index, 0), this.#classes.length - 1)]++;
    this.#count++;
  }

  /** The duration in ms that `share` (0 to 1) of all counted ones do not exceed. */
  percentile(share) {
    let seen = 0;
    const index = this.#classes.findIndex((count) => (seen += count) >= share * this.#count);
    return Math.exp((index + 0.5) * step) / 1000;
  }
}
