/** A server to start as a child process that speaks over its stdin and stdout. */
export interface StdioTarget {
  /** A program on the PATH or a path; no shell is involved. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Added to what is inherited, and wins over it. */
  readonly env?: Readonly<Record<string, string>>;
  /** Which variables the server inherits; `safe` is a short list such as PATH and HOME. Default `safe`. */
  readonly inheritEnv?: "safe" | "all" | "none";
  /** Default: the working directory of this process. */
  readonly cwd?: string;
  /**
   * Where its stderr goes: to this process's stderr, nowhere, or to a function. Default `ignore`. The
   * last 8 KiB are kept in any case, for the message when the server ends unexpectedly. What the function
   * throws or rejects with is ignored.
   */
  readonly stderr?: "inherit" | "ignore" | ((text: string) => unknown);
}
