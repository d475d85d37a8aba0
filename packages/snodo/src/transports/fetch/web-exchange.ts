import {
  BodyError,
  type EventStream,
  type Exchange,
  type ResponseHeaders,
  tooLarge,
} from "../http/exchange.ts";
import { GatheredBytes } from "../gathered-bytes.ts";
import { decodeUtf8 } from "../http/service.ts";

const loopback = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

const clientClosedRequest = 499;

/** An exchange over the web's `Request` and `Response`. */
export class WebExchange implements Exchange {
  readonly method: string;
  readonly url: string;
  readonly isLocal: boolean;
  /** Resolves as soon as status and headers are known. */
  readonly response: Promise<Response>;
  readonly #request: Request;
  readonly #host: string;
  #resolve: (response: Response) => void = () => {};
  #onClose: (() => void) | undefined;
  #stopReading: ((error: BodyError) => void) | undefined;

  constructor(request: Request) {
    this.#request = request;
    this.method = request.method;
    this.url = request.url;
    const { host, hostname } = new URL(request.url);
    this.isLocal = loopback.test(hostname);
    this.#host = host;
    this.response = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  header(name: string): string | undefined {
    // Some runtimes keep Host to themselves; the URL says the same.
    return this.#request.headers.get(name) ?? (name === "host" ? this.#host : undefined);
  }

  /** The web joins repeated headers, so this cannot be known. */
  isRepeated(): boolean {
    return false;
  }

  readBody(maxBytes: number, onBody: (body: string | BodyError) => void): void {
    if (this.#request.bodyUsed) {
      onBody(new BodyError(400, "The body was read before; pass it on as { body }"));
      return;
    }
    if (Number(this.header("content-length")) > maxBytes) {
      onBody(tooLarge(maxBytes));
      return;
    }
    const reader = this.#request.body?.getReader();
    const stopped = new Promise<never>((_, reject) => {
      this.#stopReading = reject;
    });
    const failed = new BodyError(400, "The body did not arrive whole");
    this.#request.signal.addEventListener("abort", () => this.stopReading(failed), { once: true });
    Promise.race([readText(reader, maxBytes), stopped]).then(onBody, (error: unknown) => {
      reader?.cancel().catch(() => {});
      onBody(error instanceof BodyError ? error : failed);
    });
  }

  stopReading(error: BodyError): void {
    this.#stopReading?.(error);
  }

  onClose(listener: () => void): void {
    const { signal } = this.#request;
    this.#onClose = () => {
      listener();
      // Nobody reads it, but whoever asked for it must not wait for ever.
      this.#resolve(new Response(null, { status: clientClosedRequest }));
    };
    if (signal.aborted) this.#onClose();
    else signal.addEventListener("abort", this.#onClose, { once: true });
  }

  send(status: number, body?: string, headers?: ResponseHeaders): void {
    const type = body === undefined ? undefined : { "Content-Type": "application/json" };
    this.#resolve(new Response(body ?? null, { status, headers: { ...type, ...headers } }));
    this.#stopListening();
  }

  openStream(headers: ResponseHeaders): EventStream {
    const encoder = new TextEncoder();
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (started) => {
        controller = started;
      },
      cancel: () => {
        controller = undefined;
        this.#onClose?.();
      },
    });
    this.#resolve(new Response(body, { status: 200, headers }));
    return {
      write: (text) => controller?.enqueue(encoder.encode(text)),
      end: () => {
        controller?.close();
        this.#stopListening();
      },
    };
  }

  #stopListening(): void {
    if (this.#onClose !== undefined)
      this.#request.signal.removeEventListener("abort", this.#onClose);
  }
}

async function readText(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
  maxBytes: number,
): Promise<string> {
  const gathered = new GatheredBytes();
  for (;;) {
    const part = await reader?.read();
    if (part?.value === undefined) return decodeUtf8(gathered.take());
    gathered.add(part.value);
    if (gathered.length > maxBytes) throw tooLarge(maxBytes);
  }
}
