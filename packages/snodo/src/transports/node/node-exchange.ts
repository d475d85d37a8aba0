import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import {
  BodyError,
  type EventStream,
  type Exchange,
  type ResponseHeaders,
  tooLarge,
} from "../http/exchange.ts";
import { GatheredBytes } from "../gathered-bytes.ts";

/** An exchange over Node's `req` and `res`, without any conversion to the web's types. */
export class NodeExchange implements Exchange {
  readonly method: string;
  readonly url: string;
  readonly #req: IncomingMessage;
  readonly #res: ServerResponse;
  readonly #headers: IncomingHttpHeaders;
  #onBody: ((body: string | BodyError) => void) | undefined;
  #isAnswered: boolean;

  constructor(req: IncomingMessage, res: ServerResponse) {
    this.#req = req;
    this.#res = res;
    this.#headers = req.headers;
    this.method = req.method ?? "";
    this.url = req.url ?? "";
    this.#isAnswered = false;
  }

  header(name: string): string | undefined {
    const value = this.#headers[name];
    return typeof value === "object" ? value.join(", ") : value;
  }

  get isLocal(): boolean {
    const address = this.#req.socket.localAddress;
    return address !== undefined && loopback.test(address);
  }

  isRepeated(name: string): boolean {
    const { rawHeaders } = this.#req;
    let count = 0;
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const candidate = rawHeaders[index] ?? "";
      if (candidate.length === name.length && candidate.toLowerCase() === name) count += 1;
    }
    return count > 1;
  }

  readBody(maxBytes: number, onBody: (body: string | BodyError) => void): void {
    const req = this.#req;
    if (req.readableEnded) {
      onBody(new BodyError(400, "The body was read before; pass it on as { body }"));
      return;
    }
    if (Number(this.#headers["content-length"]) > maxBytes) {
      onBody(tooLarge(maxBytes));
      return;
    }
    this.#onBody = onBody;
    let first: Buffer | undefined;
    let more: GatheredBytes | undefined;
    req.on("data", (chunk: Buffer) => {
      if (first === undefined) first = chunk;
      else more = gather(more, first, chunk);
      if ((more ?? first).length > maxBytes) this.stopReading(tooLarge(maxBytes));
    });
    req.on("end", () => {
      // Reading may have been given up before.
      if (this.#onBody === undefined) return;
      this.#onBody = undefined;
      const bytes = more === undefined ? (first ?? Buffer.alloc(0)) : toBuffer(more.take());
      onBody(isUtf8(bytes) ? bytes.toString() : new BodyError(400, "The body is not UTF-8"));
    });
    // Node reports a client that goes before the end of the body only to those who listen here.
    req.on("error", () => this.stopReading(new BodyError(400, "The body did not arrive whole")));
  }

  stopReading(error: BodyError): void {
    const onBody = this.#onBody;
    this.#onBody = undefined;
    this.#req.pause();
    onBody?.(error);
  }

  onClose(listener: () => void): void {
    const res = this.#res;
    if (res.destroyed || res.writableEnded) listener();
    else res.on("close", () => (this.#isAnswered && res.writableFinished ? undefined : listener()));
  }

  send(status: number, body?: string, headers?: ResponseHeaders): void {
    const res = this.#res;
    if (res.headersSent || res.destroyed) return;
    this.#isAnswered = true;
    if (body === undefined) {
      res.writeHead(status, headers).end();
      return;
    }
    const own = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
    res.writeHead(status, headers === undefined ? own : { ...own, ...headers });
    res.end(this.method === "HEAD" ? undefined : body);
  }

  openStream(headers: ResponseHeaders): EventStream {
    const res = this.#res;
    // Somebody else has answered, for example a time limit of the framework.
    if (res.headersSent || res.destroyed) return { write: () => {}, end: () => {} };
    this.#isAnswered = true;
    res.writeHead(200, headers);
    res.flushHeaders();
    return {
      write: (text) => void res.write(text),
      end: () => void res.end(),
    };
  }
}

const loopback = /^(?:::ffff:)?127\.|^::1$/;

/** Most bodies come in one piece, which is then used as it is. */
function gather(more: GatheredBytes | undefined, first: Buffer, chunk: Buffer): GatheredBytes {
  const gathered = more ?? new GatheredBytes();
  if (more === undefined) gathered.add(first);
  gathered.add(chunk);
  return gathered;
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
