import type { Implementation } from "../core/implementation.ts";
import type { AnyTool } from "../core/tool.ts";
import type { Engine } from "./engine.ts";

/**
 * A server: an immutable value that any number of transports and callers share. Made by
 * `createServer`. `Tools` carries the types of its tools to a client in the same program.
 */
export interface Server<
  Tools extends readonly AnyTool[] = readonly AnyTool[],
> extends Implementation {
  readonly instructions?: string;
  /** Served protocol revisions, newest first. */
  readonly protocols: readonly string[];
  /** The tools as given. */
  readonly tools: Tools;
}

/** Whatever can be served: a server, or a `live()` holder of one. */
export type Servable<Tools extends readonly AnyTool[] = readonly AnyTool[]> =
  | Server<Tools>
  | LiveServer<Tools>;

/** Holds a server that can be replaced while it is being served. Made by `live`. */
export interface LiveServer<Tools extends readonly AnyTool[] = readonly AnyTool[]> {
  /** The server that answers new requests. */
  readonly current: Server<Tools>;
  /** Replaces the server at once; requests in flight finish on the one they began with. */
  set(next: Server<Tools>): void;
}

/** The engine that answers now; a `live` holder replaces it. */
export interface Seat {
  engine: Engine;
}

const seats = new WeakMap<object, Seat>();

/** Ties a servable value to the engine that answers its requests. */
export function register(servable: object, seat: Seat): void {
  seats.set(servable, seat);
}

/** Where the engine of a servable value is found. Throws `TypeError` for what `createServer` did not make. */
export function seatOf(servable: Servable): Seat {
  const seat = seats.get(servable);
  if (seat !== undefined) return seat;
  throw new TypeError("Expected a server made by createServer() or live()");
}

/** The engine that answers now; see {@link seatOf}. */
export function engineOf(servable: Servable): Engine {
  return seatOf(servable).engine;
}

/**
 * A place for a server that changes at run time, for example when tools come and go: serve the result
 * and call `set` with the next server.
 */
export function live<Tools extends readonly AnyTool[]>(server: Server<Tools>): LiveServer<Tools> {
  let current = server;
  const seat = { engine: engineOf(server) };
  const holder: LiveServer<Tools> = Object.freeze({
    get current() {
      return current;
    },
    set(next: Server<Tools>) {
      seat.engine = engineOf(next);
      current = next;
    },
  });
  register(holder, seat);
  return holder;
}
