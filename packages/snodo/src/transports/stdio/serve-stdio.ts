import type { Readable, Writable } from "node:stream";
import { CancelledError } from "../../core/cancellation.ts";
import { emit } from "../../core/events.ts";
import { engineOf, type Servable } from "../../server/serving.ts";
import { divertStdout, type DivertedStdout } from "./divert-stdout.ts";
import { LineSplitter } from "./line-splitter.ts";
import { LineWriter } from "./line-writer.ts";
import { StdioConnection } from "./stdio-connection.ts";

/** Streams in place of the process's own, and what happens at the end. */
export interface StdioOptions {
  /** Default `process.stdin`. */
  readonly input?: Readable;
  /** Default `process.stdout`; only then is other output diverted to stderr. */
  readonly output?: Writable;
  /** End the process when the client has gone. Default: true on the process's own streams. */
  readonly exit?: boolean;
}

/** A server on a pipe. */
export interface StdioServer extends AsyncDisposable {
  /** Resolves when the client has gone and everything is written. */
  readonly closed: Promise<void>;
  /** Stops reading, waits for requests in flight up to the limit eofDrainMs, and writes what is left. */
  close(): Promise<void>;
}

const parentCheckMs = 3_000;

/**
 * Serves one client over stdin and stdout, one JSON message per line, until the client goes: stdin
 * ends, stdout breaks or the parent process dies. Meanwhile `console.*` and `process.stdout.write` go
 * to stderr. spec: basic/transports/stdio
 */
export async function serveStdio(
  server: Servable,
  options: StdioOptions = {},
): Promise<StdioServer> {
  const { limits, sink } = engineOf(server);
  const input = options.input ?? process.stdin;
  const output = options.output ?? process.stdout;
  const stdout = options.output === undefined ? divertStdout(tellOrigin) : undefined;
  const write = stdout?.write ?? output.write.bind(output);
  let isEnding = false;
  const writer = new LineWriter(output, write, (isHigh) => {
    if (isHigh) input.pause();
    else if (!isEnding) input.resume();
  });
  const connection = new StdioConnection(server, writer.write);
  const splitter = new LineSplitter(limits.lineBytes);
  const onLine = (line: Buffer): void => connection.receive(line);

  function tellOrigin(origin: string): void {
    emit(sink, { type: "stdout.diverted", origin });
    console.error(
      `snodo: stdout belongs to the protocol, output goes to stderr; first written by ${origin}`,
    );
  }

  const onData = (chunk: Buffer | string): void => {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    splitter.push(bytes, onLine, () => connection.refuseLongLine(limits.lineBytes));
  };
  const unwatch = watch({ input, output, stdout }, (reason) => void end.run(reason));
  const end = endOnce({
    shouldExit: options.exit ?? options.input === undefined,
    drain: async (reason) => {
      isEnding = true;
      input.off("data", onData).pause();
      // Without its end a line is whole only when nothing more can come.
      if (reason === "eof") splitter.end(onLine);
      await withLimit(connection.idle(), limits.eofDrainMs);
      connection.cancelAll(new CancelledError("The connection is closed"));
      await withLimit(writer.drain(), limits.eofDrainMs);
    },
    restore: () => {
      writer.dispose();
      unwatch();
    },
  });
  input.on("data", onData);
  const close = (): Promise<void> => end.run("closed");
  return { closed: end.done, close, [Symbol.asyncDispose]: close };
}

/** Why serving ends: nothing more comes, nothing can be written, the parent died, or `close()`. */
type EndReason = "eof" | "broken" | "orphaned" | "closed";

interface Ending {
  readonly shouldExit: boolean;
  drain(reason: EndReason): Promise<void>;
  restore(): void;
}

function endOnce(ending: Ending): {
  readonly done: Promise<void>;
  run(reason: EndReason): Promise<void>;
} {
  let resolveDone: () => void = () => {};
  const done = new Promise<void>((resolve) => {
    resolveDone = resolve;
  });
  let hasBegun = false;
  return {
    done,
    run: async (reason) => {
      if (hasBegun) return done;
      hasBegun = true;
      if (reason !== "broken") await ending.drain(reason);
      ending.restore();
      resolveDone();
      if (ending.shouldExit) process.exit(0);
    },
  };
}

/** Calls `onEnd` when the client is gone. Returns what undoes it. */
function watch(
  streams: {
    readonly input: Readable;
    readonly output: Writable;
    readonly stdout: DivertedStdout | undefined;
  },
  onEnd: (reason: EndReason) => void,
): () => void {
  const { input, output, stdout } = streams;
  const ignore = (): void => {};
  const onEof = (): void => onEnd("eof");
  const onBroken = (): void => onEnd("broken");
  input.once("end", onEof).once("close", onEof).on("error", onBroken);
  output.on("error", onBroken).once("close", onBroken);
  // A dead stderr must not turn every message about it into another error.
  process.stderr.on("error", ignore);
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (stdout !== undefined && process.ppid !== parent) onEnd("orphaned");
  }, parentCheckMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    input.off("end", onEof).off("close", onEof).off("error", onBroken);
    output.off("error", onBroken).off("close", onBroken);
    process.stderr.off("error", ignore);
    stdout?.restore();
  };
}

async function withLimit(work: Promise<void>, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([work, limit]);
  clearTimeout(timer);
}
