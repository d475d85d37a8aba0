import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { ClientError } from "../../client/client-error.ts";
import { peerLines } from "../../client/peer-text.ts";
import { notify } from "../../core/notify.ts";
import type { StdioTarget } from "../connect-target.ts";
import { serverEnvironment } from "./client-environment.ts";

/** Steps between stdin's end, SIGTERM and SIGKILL. */
const graceMs = 2_000;

/** How long to wait for the end of the pipes after the end of the process. */
const pipeGraceMs = 200;

const maxTailLength = 8 * 1024;

const isWindows = process.platform === "win32";

/** A server's process. On POSIX it leads a group of its own, so that nothing it starts is left behind. */
export class ServerProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #command: string;
  #stderrTail = "";
  #ending: Promise<void> | undefined;

  private constructor(
    child: ChildProcessWithoutNullStreams,
    { command, stderr = "ignore" }: StdioTarget,
  ) {
    this.#child = child;
    this.#command = command;
    // Such as a signal that could not be sent; the end shows in other ways.
    child.on("error", () => {});
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#stderrTail = (this.#stderrTail + text).slice(-maxTailLength);
      if (stderr === "inherit") process.stderr.write(text);
      if (typeof stderr === "function") notify(stderr, text);
    });
  }

  /** Starts the server. Rejects with a `ClientError` when that is not possible. */
  static async start(target: StdioTarget): Promise<ServerProcess> {
    const { command, args = [], cwd, env, inheritEnv } = target;
    try {
      const child = spawn(command, args, {
        cwd,
        env: serverEnvironment(env, inheritEnv),
        stdio: ["pipe", "pipe", "pipe"],
        detached: !isWindows,
        windowsHide: true,
      });
      await once(child, "spawn");
      killAtExit(child);
      return new ServerProcess(child, target);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const where = cwd === undefined ? "" : ` in ${cwd}`;
      const message = `The server "${command}" could not be started${where}: ${reason}`;
      throw new ClientError("spawn", message, { outcome: "none", cause: error });
    }
  }

  get stdin(): Writable {
    return this.#child.stdin;
  }

  get stdout(): Readable {
    return this.#child.stdout;
  }

  /** Resolves after the process has ended or closed its output, with what it wrote before. */
  async ended(): Promise<void> {
    const child = this.#child;
    await new Promise<unknown>((resolve) => {
      child.once("exit", resolve);
      child.stdout.once("close", resolve);
    });
    // What it left behind may hold the pipes open.
    const grace = delay(pipeGraceMs);
    await Promise.race([grace, new Promise((resolve) => child.once("close", resolve))]);
  }

  /** How it ended and what it said last, for a message. */
  describeEnd(): string {
    const tail = peerLines(this.#stderrTail.trim());
    const said = tail === "" ? "" : `; stderr: ${tail}`;
    return `The server "${this.#command}" ${howItEnded(this.#child)}${said}`;
  }

  /** Ends it: closes stdin, waits 2 s, SIGTERM, waits 2 s, SIGKILL. Resolves when it is gone. */
  end(): Promise<void> {
    this.#ending ??= this.#endInSteps();
    return this.#ending;
  }

  async #endInSteps(): Promise<void> {
    this.#child.stdin.end();
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      if (await this.#isGoneWithin(graceMs)) break;
      signalTree(this.#child, signal);
    }
    await this.#isGoneWithin(graceMs);
    running.delete(this.#child);
  }

  async #isGoneWithin(limitMs: number): Promise<boolean> {
    const endsAt = performance.now() + limitMs;
    while (isAlive(this.#child)) {
      if (performance.now() > endsAt) return false;
      // There is no event for the end of a process group.
      await delay(10);
    }
    return true;
  }
}

function howItEnded({ exitCode, signalCode }: ChildProcess): string {
  if (exitCode !== null) return `ended with exit code ${exitCode}`;
  return signalCode === null ? "closed its output" : `was ended by ${signalCode}`;
}

function isAlive(child: ChildProcess): boolean {
  if (child.exitCode === null && child.signalCode === null) return true;
  return !isWindows && signalGroup(child, 0);
}

function signalTree(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): void {
  if (!isWindows) {
    signalGroup(child, signal);
    return;
  }
  const args = ["/pid", String(child.pid), "/T", ...(signal === "SIGKILL" ? ["/F"] : [])];
  spawn("taskkill", args, { stdio: "ignore", windowsHide: true }).on("error", () => child.kill());
}

/** True when there was a process in the group to signal. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  try {
    return pid !== undefined && process.kill(-pid, signal);
  } catch {
    return false;
  }
}

const running = new Set<ChildProcess>();
let isWatchingExit = false;

/**
 * A group of its own does not get the terminal's signals, so this process passes its end on where it can:
 * one that a signal ends without a handler runs no code, and the server only sees its stdin end.
 */
function killAtExit(child: ChildProcess): void {
  running.add(child);
  if (isWatchingExit) return;
  isWatchingExit = true;
  process.once("exit", () => {
    for (const other of running) signalTree(other, "SIGTERM");
  });
}
