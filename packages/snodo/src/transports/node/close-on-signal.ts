/** A server as far as ending the process is concerned. */
export interface Closable {
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

const open = new Set<Closable>();
const signals = ["SIGTERM", "SIGINT"] as const;

/**
 * Closes the server on SIGTERM and SIGINT. The process ends with 0 when the last such server has
 * closed, unless the application listens to the signal, too: then ending is its business.
 */
export function closeOnSignal(server: Closable): void {
  // First in line, so that a listener that is called only once still counts as one.
  if (open.size === 0) for (const signal of signals) process.prependListener(signal, onSignal);
  open.add(server);
  void server.closed.then(() => {
    open.delete(server);
    // First in line, so that a listener that is called only once still counts as one.
    if (open.size === 0) for (const signal of signals) process.off(signal, onSignal);
  });
}

function onSignal(signal: NodeJS.Signals): void {
  const isOurs = process.listenerCount(signal) === 1;
  const closing = [...open].map((server) => server.close());
  void Promise.all(closing).then(() => {
    if (isOurs) process.exit(0);
  });
}
