type Write = typeof process.stdout.write;

/** The real stdout, kept for the protocol. */
export interface DivertedStdout {
  readonly write: Write;
  /** Gives stdout back to everybody. */
  restore(): void;
}

/**
 * Sends whatever the program prints (`console.*`, `process.stdout.write`) to stderr, because stdout
 * belongs to the protocol. `onFirst` gets the place in the code that printed first. Output that goes
 * to the file descriptor directly cannot be caught.
 */
export function divertStdout(onFirst: (origin: string) => void): DivertedStdout {
  const { stdout, stderr } = process;
  const original = stdout.write;
  let isFirst = true;
  const diverted = (...args: Parameters<Write>): boolean => {
    if (isFirst) {
      isFirst = false;
      onFirst(originOf(new Error("stdout").stack ?? ""));
    }
    return stderr.write(...args);
  };
  stdout.write = diverted as Write;
  return {
    write: original.bind(stdout),
    restore: () => {
      if (stdout.write === (diverted as Write)) stdout.write = original;
    },
  };
}

/** The first frame that is neither this function nor Node's own. */
function originOf(stack: string): string {
  const frames = stack.split("\n").slice(2);
  const frame = frames.find(
    (line) => !line.includes("node:internal") && !line.includes("node:console"),
  );
  return frame?.trim() ?? "unknown";
}
