/** One limit: its default and what happens when it is reached. */
export interface LimitRow {
  readonly default: number;
  readonly unit: "bytes" | "ms" | "count" | "levels";
  readonly what: string;
  readonly refusal: string;
}

/** The name of a limit. */
export type LimitName =
  | "bodyBytes"
  | "lineBytes"
  | "jsonDepth"
  | "bodyReadMs"
  | "requestMs"
  | "keepAliveMs"
  | "drainMs"
  | "eofDrainMs"
  | "inFlight"
  | "queue"
  | "pageSize"
  | "cursorBytes"
  | "progressUpdates"
  | "progressMessageBytes";

/** Every limit of a server with its default. Set one with `createServer({ limits: { name: value } })`. */
export const limitTable: Readonly<Record<LimitName, LimitRow>> = {
  bodyBytes: {
    default: 4 * 1024 * 1024,
    unit: "bytes",
    what: "HTTP request body",
    refusal: "413 and -32600",
  },
  lineBytes: {
    default: 16 * 1024 * 1024,
    unit: "bytes",
    what: "one line on stdio",
    refusal: "-32600; the next line is served",
  },
  jsonDepth: { default: 128, unit: "levels", what: "nesting of one message", refusal: "-32700" },
  bodyReadMs: {
    default: 10_000,
    unit: "ms",
    what: "time to receive a body",
    refusal: "408 and -32600",
  },
  requestMs: {
    default: 600_000,
    unit: "ms",
    what: "time of one request that has no timeout of its own",
    refusal: "`isError` for tools, else -32603; the signal is aborted",
  },
  keepAliveMs: {
    default: 15_000,
    unit: "ms",
    what: "silence on an open HTTP answer",
    refusal: "a comment line is sent",
  },
  drainMs: {
    default: 10_000,
    unit: "ms",
    what: "time for requests in flight when an HTTP server closes",
    refusal: "their signal is aborted and the socket closed",
  },
  eofDrainMs: {
    default: 1_000,
    unit: "ms",
    what: "time for requests in flight when stdin ends",
    refusal: "their signal is aborted and the process ends",
  },
  inFlight: {
    default: 1024,
    unit: "count",
    what: "requests that run at once",
    refusal: "they queue",
  },
  queue: {
    default: 256,
    unit: "count",
    what: "requests that wait for a place",
    refusal: "503 with Retry-After, -32603",
  },
  pageSize: {
    default: 1000,
    unit: "count",
    what: "largest allowed `pageSize`",
    refusal: "ConfigurationError",
  },
  cursorBytes: { default: 2048, unit: "bytes", what: "pagination cursor", refusal: "-32602" },
  progressUpdates: {
    default: 1000,
    unit: "count",
    what: "progress notifications of one request",
    refusal: "dropped and counted",
  },
  progressMessageBytes: {
    default: 4096,
    unit: "bytes",
    what: "message of one progress notification",
    refusal: "dropped and counted",
  },
};

/** A value for every limit. */
export type Limits = { readonly [Name in LimitName]: number };

/** Longest time that timers can measure, about 24 days, in milliseconds. */
export const longestTimerMs: number = 2 ** 31 - 1;

/** The defaults of {@link limitTable}. */
export const defaultLimits: Limits = Object.freeze(
  Object.fromEntries(
    Object.entries(limitTable).map(([name, row]) => [name, row.default]),
  ) as Limits,
);

/**
 * The defaults with the given values in their place. Adds a sentence to `problems` for each unknown
 * name and each value that is not a positive whole number.
 */
export function resolveLimits(chosen: Partial<Limits>, problems: string[]): Limits {
  for (const [name, value] of Object.entries(chosen)) {
    if (!Object.hasOwn(limitTable, name)) problems.push(`limits.${name} is not a limit`);
    else if (!Number.isSafeInteger(value) || value < 1) {
      problems.push(`limits.${name} must be a positive whole number`);
    } else if (limitTable[name as LimitName].unit === "ms" && value > longestTimerMs) {
      problems.push(`limits.${name} must be at most ${longestTimerMs} ms`);
    }
  }
  return Object.freeze({ ...defaultLimits, ...chosen });
}
