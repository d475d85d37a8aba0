import {
  encodeNotification,
  type InvalidMessage,
  type RequestId,
  type ResponseMessage,
} from "../../jsonrpc/message.ts";
import type { Cancellation } from "../../core/cancellation.ts";
import { ClientError } from "../../client/client-error.ts";
import { encodeRequest } from "../../client/compose-request.ts";
import { decodeMessage } from "../../client/decode-message.ts";
import { breach } from "../../client/decode-result.ts";
import { peerText } from "../../client/peer-text.ts";
import {
  type ClientTransport,
  type OutgoingRequest,
  type TransportEvents,
  unheard,
} from "../../client/transport.ts";
import type { StdioTarget } from "../connect-target.ts";
import { ServerProcess } from "./client-process.ts";
import { LineSplitter } from "./line-splitter.ts";
import { LineWriter } from "./line-writer.ts";

/** Requests that wait for a server which does not read. */
const maxQueuedBytes = 64 * 1024 * 1024;

interface Waiting {
  resolve(response: ResponseMessage): void;
  reject(reason: unknown): void;
  forget(): void;
}

/** Speaks with a child process, one JSON message per line. spec: basic/transports/stdio */
export class StdioTransport implements ClientTransport {
  readonly kind = "stdio";
  readonly #target: StdioTarget;
  readonly #maxLineBytes: number;
  readonly #waiting = new Map<RequestId | undefined, Waiting>();
  #events: TransportEvents = unheard;
  #process: ServerProcess | undefined;
  #writer: LineWriter | undefined;
  #failure: ClientError | undefined;

  constructor(target: StdioTarget, maxLineBytes: number) {
    this.#target = target;
    this.#maxLineBytes = maxLineBytes;
  }

  async start(events: TransportEvents): Promise<void> {
    this.#events = events;
    const server = await ServerProcess.start(this.#target);
    this.#process = server;
    const { stdin, stdout } = server;
    // A broken pipe is the server's end, which says more.
    stdin.on("error", () => {});
    stdout.on("error", () => {});
    this.#writer = new LineWriter(stdin, stdin.write.bind(stdin), () => {});
    const splitter = new LineSplitter(this.#maxLineBytes);
    const onLine = (line: Buffer): void => this.#receive(line);
    stdout.on("data", (chunk: Buffer) =>
      splitter.push(chunk, onLine, () => this.#refuseLongLine()),
    );
    stdout.on("end", () => splitter.end(onLine));
    void server.ended().then(() => this.#fail("closed", server.describeEnd()));
    if (this.#failure !== undefined) await this.close();
  }

  send(request: OutgoingRequest, cancellation: Cancellation): Promise<ResponseMessage> {
    const { id } = request;
    return new Promise((resolve, reject) => {
      const writer = this.#openWriter();
      const forget = cancellation.onCancel((reason) => {
        this.#waiting.delete(id);
        writer.write(encodeNotification("notifications/cancelled", { requestId: id }));
        reject(reason);
      });
      this.#waiting.set(id, { resolve, reject, forget });
      writer.write(encodeRequest(request));
    });
  }

  async close(): Promise<void> {
    this.#failure ??= new ClientError("closed", "The client was closed", { outcome: "unknown" });
    // Lines of this turn leave first.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    await this.#process?.end();
  }

  #openWriter(): LineWriter {
    if (this.#failure !== undefined) {
      const { reason, message } = this.#failure;
      throw new ClientError(reason, message, { outcome: "none" });
    }
    if (this.#writer === undefined || this.#process === undefined) {
      throw new ClientError("closed", "The connection is not open", { outcome: "none" });
    }
    if (this.#process.stdin.writableLength > maxQueuedBytes) {
      const message = `The server does not read its input: ${maxQueuedBytes} bytes wait for it`;
      throw new ClientError("limit", message, { outcome: "none" });
    }
    return this.#writer;
  }

  #receive(line: Buffer): void {
    const message = decodeMessage(line);
    if (message === undefined) {
      const start = peerText(line.toString("utf8", 0, 1000).trim());
      if (start === "") return;
      this.#events.warn("unreadable-message", `The server wrote a line that is not JSON: ${start}`);
    } else if (message.kind === "notification") {
      this.#events.notify(message.method, message.params);
    } else if (message.kind === "request") {
      this.#events.warn(
        "unexpected-message",
        "The server sent a request, which MCP does not allow",
      );
    } else {
      this.#settle(message);
    }
  }

  #settle(message: ResponseMessage | InvalidMessage): void {
    const { id, error } = message;
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) {
      const what =
        id === undefined
          ? `message without an id: ${peerText(error?.message ?? "")}`
          : `response for request ${peerText(String(id))}, which nobody waits for`;
      this.#events.warn("unexpected-message", `The server wrote a ${what}`);
      return;
    }
    this.#waiting.delete(id);
    waiting.forget();
    if (message.kind === "response") waiting.resolve(message);
    else waiting.reject(breach(peerText(message.error.message)));
  }

  #refuseLongLine(): void {
    const limit = `${this.#maxLineBytes} bytes (option maxResponseBytes)`;
    this.#fail("too-large", `The server wrote a line of more than ${limit}`);
    this.#process?.stdout.destroy();
  }

  /** Ends the connection; only the first reason counts. */
  #fail(reason: "closed" | "too-large", message: string): void {
    this.#failure ??= new ClientError(reason, message, { outcome: "unknown" });
    for (const { reject, forget } of this.#waiting.values()) {
      forget();
      reject(this.#failure);
    }
    this.#waiting.clear();
    void this.#process?.end();
  }
}
