import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { fileURLToPath } from "node:url";
import { assertWire, type ServerMessage } from "./wire.ts";

const script = fileURLToPath(new URL("stdio-fixture.mjs", import.meta.url));
const lineFeed = 0x0a;

/** The fixture in a process of its own, byte by byte. Each line it writes must be a lawful message. */
export class ServerProcess implements AsyncDisposable {
  readonly child: ChildProcessWithoutNullStreams;
  /** Every complete line of stdout, without its LF. */
  readonly lines: string[] = [];
  /** Every message of the server in the order of arrival. */
  readonly messages: ServerMessage[] = [];
  /** Bytes on stdout after the last LF. */
  rest: Buffer = Buffer.alloc(0);
  stderr = "";
  readonly #changes = new EventEmitter().setMaxListeners(0);
  #failure: unknown;

  /** `options` go to `createServer`; only JSON can be passed. */
  constructor(options: object = {}, nodeArguments: readonly string[] = []) {
    this.child = spawn(process.execPath, [...nodeArguments, script, JSON.stringify(options)]);
    this.child.stdout.on("data", (chunk: Buffer) => this.#receive(chunk));
    this.child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      this.stderr += chunk;
      this.#changes.emit("change");
    });
    this.child.stdin.on("error", () => undefined);
    this.child.once("close", () => this.#changes.emit("change"));
  }

  /** Writes bytes, text or one message with its LF. */
  write(data: string | Uint8Array | object): void {
    const isBytes = typeof data === "string" || data instanceof Uint8Array;
    this.child.stdin.write(isBytes ? data : `${JSON.stringify(data)}\n`);
  }

  /** Waits for the response with this id, of this JSON type. */
  response(id: string | number): Promise<ServerMessage> {
    return this.until(() => this.messages.find((message) => message.id === id));
  }

  /** Waits for the response with this id and forgets it, for very many messages. */
  async take(id: string | number): Promise<ServerMessage> {
    const response = await this.response(id);
    this.messages.splice(this.messages.indexOf(response), 1);
    this.lines.length = 0;
    return response;
  }

  /** Waits until `find` gives a value; fails when the process ends or 15 s pass before. */
  async until<T>(find: () => T | undefined): Promise<T> {
    const signal = AbortSignal.timeout(15_000);
    for (;;) {
      this.#throwFailure();
      const found = find();
      if (found !== undefined) return found;
      if (this.hasEnded) throw new Error(`the server has ended; stderr: ${this.stderr}`);
      await once(this.#changes, "change", { signal });
    }
  }

  /** Throws what was wrong with a line, once. */
  #throwFailure(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure;
  }

  /** True once the process has exited. */
  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Waits for the end and gives the exit code; `null` after a signal. */
  async exitCode(): Promise<number | null> {
    if (!this.hasEnded) await once(this.child, "close");
    return this.child.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill("SIGKILL");
    await this.exitCode();
  }

  // Bytes, not strings, so that the test cuts no character in two either.
  #receive(chunk: Buffer): void {
    let data = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    for (let end = data.indexOf(lineFeed); end !== -1; end = data.indexOf(lineFeed)) {
      this.#take(data.subarray(0, end).toString());
      data = data.subarray(end + 1);
    }
    this.rest = data;
    this.#changes.emit("change");
  }

  #take(line: string): void {
    this.lines.push(line);
    try {
      const message: unknown = JSON.parse(line);
      assertWire(message);
      this.messages.push(message);
    } catch (error) {
      this.#failure ??= error;
    }
  }
}
