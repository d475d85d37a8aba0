import { once } from "node:events";
import { createInterface, type Interface } from "node:readline";
import { PassThrough } from "node:stream";
import type { ServerOptions } from "snodo";
import { serveStdio, type StdioServer } from "snodo/stdio";
import { createFixture } from "./fixture.mjs";
import { assertWire, type ServerMessage } from "./wire.ts";

/** The fixture on two streams of this process. Each line it writes must be a lawful message. */
export class Pipe implements AsyncDisposable {
  readonly input: PassThrough;
  readonly output: PassThrough;
  readonly server: StdioServer;
  /** Every message of the server in the order of arrival. */
  readonly messages: ServerMessage[] = [];
  readonly #lines: Interface;

  constructor(streams: { input: PassThrough; output: PassThrough }, server: StdioServer) {
    this.input = streams.input;
    this.output = streams.output;
    this.server = server;
    this.#lines = createInterface(streams.output).on("line", (line) => {
      const message: unknown = JSON.parse(line);
      assertWire(message);
      this.messages.push(message);
    });
  }

  /** Writes bytes, text or one message with its LF. */
  write(data: string | Uint8Array | object): void {
    const isBytes = typeof data === "string" || data instanceof Uint8Array;
    this.input.write(isBytes ? data : `${JSON.stringify(data)}\n`);
  }

  /** Waits for the response with this id. */
  response(id: string | number): Promise<ServerMessage> {
    return this.until(() => this.messages.find((message) => message.id === id));
  }

  /** Waits until `find` gives a value; fails after 5 s. */
  async until<T>(find: () => T | undefined): Promise<T> {
    const signal = AbortSignal.timeout(5000);
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      await once(this.#lines, "line", { signal });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.close();
  }
}

/** `options` are added to those of the fixture. */
export async function openPipe(options: Partial<ServerOptions>): Promise<Pipe> {
  const streams = { input: new PassThrough(), output: new PassThrough() };
  const fixture = createFixture({ onError: () => {}, ...options });
  return new Pipe(streams, await serveStdio(fixture, streams));
}
