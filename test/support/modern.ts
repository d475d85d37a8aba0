import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** A request as a 2026-07-28 client puts it on the wire. */
export interface ModernRequest {
  readonly jsonrpc: "2.0";
  readonly id: number | string;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A request with the `_meta` that every request must have. */
export function modernRequest(
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  id: number | string = 1,
): ModernRequest {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "probe", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return { jsonrpc: "2.0", id, method, params: { ...params, _meta } };
}

/** The request with more `_meta` entries, or others; one that is undefined is left out. */
export function withMeta(request: ModernRequest, meta: object): ModernRequest {
  const { _meta, ...params } = request.params;
  return { ...request, params: { ...params, _meta: { ...(_meta as object), ...meta } } };
}

/** A `tools/call` request. */
export function toolCall(name: string, args: object = {}, id: number | string = 1): ModernRequest {
  return modernRequest("tools/call", { name, arguments: args }, id);
}

/** An HTTP answer; `body` is the parsed JSON, else the text. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Posts a request with the headers that mirror it; `headers` are added or take their place. */
export async function post(
  url: string | URL,
  message: ModernRequest,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const response = await fetch(url, requestInit(message, headers));
  return toAnswer(response);
}

/** What {@link post} hands to `fetch`. */
export function requestInit(
  message: ModernRequest,
  headers: Readonly<Record<string, string>> = {},
): RequestInit {
  const { name } = message.params;
  return {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": message.method,
      ...(typeof name === "string" ? { "mcp-name": name } : {}),
      ...headers,
    },
    body: JSON.stringify(message),
  };
}

/** Reads a response to its end. */
export async function toAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? JSON.parse(text) : text,
  };
}

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (reason: Error) => void;
}

/** A server in a process of its own. A line on its stdout that is not JSON fails the test run. */
export class StdioPeer {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting: Map<unknown, Waiting> = new Map();
  readonly #closed: Promise<unknown>;
  #stderr = "";

  /** Starts node with these arguments; `env` is added to the environment. */
  constructor(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    this.#child = spawn(process.execPath, args, { env: { ...process.env, ...env } });
    this.#child.stderr.setEncoding("utf8").on("data", (chunk: string) => (this.#stderr += chunk));
    createInterface(this.#child.stdout).on("line", (line) => this.#receive(line));
    this.#closed = once(this.#child, "close").then(() => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`exited: ${this.#stderr}`));
    });
    this.#child.stdin.on("error", () => undefined);
  }

  /** Everything on stderr so far. */
  get stderr(): string {
    return this.#stderr;
  }

  /** Sends a request and gives the response with its id. */
  request(message: ModernRequest): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(message.id, { resolve, reject });
      this.send(JSON.stringify(message));
    });
  }

  /** Sends one line as it is. */
  send(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  /** Waits until stderr matches. */
  async untilStderr(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.#stderr);
      if (match !== null) return match;
      if (this.#child.stderr.readableEnded) throw new Error(`not on stderr: ${this.#stderr}`);
      await Promise.race([once(this.#child.stderr, "data"), once(this.#child.stderr, "end")]);
    }
  }

  /** Ends stdin, or sends a signal, and gives the exit code. */
  async end(signal?: NodeJS.Signals): Promise<number | null> {
    if (signal === undefined) this.#child.stdin.end();
    else this.#child.kill(signal);
    return this.exitCode();
  }

  /** Waits for the end of the process; `null` after a signal that was not handled. */
  async exitCode(): Promise<number | null> {
    await this.#closed;
    return this.#child.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end("SIGKILL");
  }

  #receive(line: string): void {
    const message: unknown = JSON.parse(line);
    if (typeof message !== "object" || message === null || !("id" in message)) return;
    this.#waiting.get(message.id)?.resolve(message);
    this.#waiting.delete(message.id);
  }
}
