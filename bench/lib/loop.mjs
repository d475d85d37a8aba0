import { Histogram } from "./statistics.mjs";

/** What a sample is made of, whichever way it was taken. */
export function toSample(count, seconds, durations) {
  const [p50, p99] = [durations.percentile(0.5), durations.percentile(0.99)];
  return { count, seconds, rate: count / seconds, p50, p99 };
}

/**
 * Calls `call` again and again, `inFlight` at a time, until `seconds` have passed or `count` calls are
 * made, and returns the sample.
 */
export async function runLoop(call, { seconds, count: most = Infinity, inFlight }) {
  const durations = new Histogram();
  const begin = performance.now();
  const end = begin + seconds * 1000;
  let [now, count] = [begin, 0];
  const worker = async () => {
    while (now < end && count < most) {
      count++;
      const sentAt = performance.now();
      await call();
      now = performance.now();
      durations.add(now - sentAt);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return toSample(count, (now - begin) / 1000, durations);
}
