interface Watch {
  readonly listeners: Set<() => void>;
  stop(): void;
}

const watches = new WeakMap<AbortSignal, Watch>();

/**
 * Calls `listener` once when the signal is aborted; returns what takes it back. However many calls
 * share a signal, it has one listener: Node warns from the eleventh on.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  const watch = watches.get(signal) ?? begin(signal);
  watch.listeners.add(listener);
  return () => {
    if (watch.listeners.delete(listener) && watch.listeners.size === 0) watch.stop();
  };
}

function begin(signal: AbortSignal): Watch {
  const listeners = new Set<() => void>();
  const run = (): void => {
    for (const listener of listeners) listener();
  };
  const watch: Watch = {
    listeners,
    stop: () => {
      signal.removeEventListener("abort", run);
      watches.delete(signal);
    },
  };
  signal.addEventListener("abort", run, { once: true });
  watches.set(signal, watch);
  return watch;
}
