import { execFile } from "node:child_process";

/** What a program printed. */
export interface Output {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end, at most a minute; its exit code is left to what it printed. */
export function run(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Output> {
  const options = { env: { ...process.env, ...env }, timeout: 60_000 };
  return new Promise((resolve) => {
    execFile(command, args, options, (_error, stdout, stderr) => resolve({ stdout, stderr }));
  });
}
