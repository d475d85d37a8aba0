import type { JsonObject } from "../json/value.ts";
import { longestTimerMs } from "../core/limits.ts";
import type { ClientCapabilities, Implementation } from "../core/implementation.ts";
import type { Validator } from "../schema/validator.ts";

/** How long one request may take, in milliseconds from 1 to 2^31 - 1. spec: TMO-1, TMO-2 */
export interface TimeOptions {
  /** Silence after which the request is given up; progress starts it anew. Default 60 s. */
  readonly timeoutMs?: number;
  /** Time after which it is given up in any case. Default 10 min. */
  readonly totalTimeoutMs?: number;
}

/** Options of a client, whatever its transport. */
export interface ClientOptions extends TimeOptions {
  /** How the client introduces itself. Default: `snodo`. */
  readonly info?: Implementation;
  /** What it declares that it can do. Default: nothing. */
  readonly capabilities?: ClientCapabilities;
  /**
   * Checks structured content against the output schemas of tools. Default: none. Use
   * `jsonSchema({ trusted: false })`, since the schemas come from the server.
   */
  readonly validator?: Validator;
  /** Most pages that one list is followed for. Default 1,000. */
  readonly maxPages?: number;
  /**
   * Most JSON text of tools that is kept, in characters; a tool counts for 512 at least. Default 64 Mi.
   */
  readonly maxCatalogLength?: number;
  /** Largest answer in bytes. Default 16 MiB. */
  readonly maxResponseBytes?: number;
  /**
   * Gets what is ignored or dropped. Default: the first 20 go to stderr. What it throws or rejects with is
   * ignored.
   */
  readonly onWarning?: (warning: ClientWarning) => void;
}

/** Options of one request. */
export interface RequestOptions extends TimeOptions {
  /** Gives the request up; it then rejects with the reason of this signal. */
  readonly signal?: AbortSignal;
  /** Called for each progress notification. What it throws or rejects with is ignored. */
  readonly onProgress?: (progress: Progress) => void;
  /** More `_meta`, for example `traceparent`. The keys of the protocol win. */
  readonly meta?: JsonObject;
}

/** How far the server is with a request. spec: PRG-2 */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/**
 * What a warning is about: a tool that is left out of the list, a response that nobody waits for, a
 * message that cannot be read, an integer that JavaScript cannot hold exactly.
 */
export type WarningKind =
  | "tool-dropped"
  | "unexpected-message"
  | "unreadable-message"
  | "number-rounded";

/** Something that the client went on without. */
export interface ClientWarning {
  readonly kind: WarningKind;
  readonly message: string;
}

/** Options with their defaults. */
export interface ClientSettings extends Required<Omit<ClientOptions, "validator">> {
  readonly validator: Validator | undefined;
}

/** Fills in the defaults. Throws `TypeError` for a limit that is not a positive whole number. */
export function resolveOptions(options: ClientOptions): ClientSettings {
  const settings: ClientSettings = {
    info: options.info ?? { name: "snodo", version: "0" },
    capabilities: options.capabilities ?? {},
    validator: options.validator,
    timeoutMs: options.timeoutMs ?? 60_000,
    totalTimeoutMs: options.totalTimeoutMs ?? 600_000,
    maxPages: options.maxPages ?? 1000,
    maxCatalogLength: options.maxCatalogLength ?? 64 * 1024 * 1024,
    maxResponseBytes: options.maxResponseBytes ?? 16 * 1024 * 1024,
    onWarning: options.onWarning ?? printFirst(20),
  };
  checkTimes(settings);
  for (const name of ["maxPages", "maxCatalogLength", "maxResponseBytes"] as const) {
    if (Number.isSafeInteger(settings[name]) && settings[name] >= 1) continue;
    throw new TypeError(`The option ${name} must be a positive whole number`);
  }
  return settings;
}

/** Throws `TypeError` for a time that a timer cannot wait. */
export function checkTimes(options: TimeOptions): void {
  for (const name of ["timeoutMs", "totalTimeoutMs"] as const) {
    const value = options[name];
    if (value === undefined || (value >= 1 && value <= longestTimerMs)) continue;
    throw new TypeError(`The option ${name} must be from 1 to ${longestTimerMs} milliseconds`);
  }
}

function printFirst(count: number): (warning: ClientWarning) => void {
  let left = count;
  return ({ message }) => {
    if (left === 0) return;
    left -= 1;
    console.warn(`snodo client: ${message}`);
  };
}
