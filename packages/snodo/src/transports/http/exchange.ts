/** The body did not arrive as the limits demand; `status` is what HTTP calls that. */
export class BodyError extends Error {
  override readonly name: string = "BodyError";
  readonly status: 400 | 408 | 413;

  constructor(status: 400 | 408 | 413, message: string) {
    super(message);
    this.status = status;
  }
}

/** The error for a body over the limit. */
export function tooLarge(maxBytes: number): BodyError {
  return new BodyError(413, `The body is larger than ${maxBytes} bytes (limit: bodyBytes)`);
}

/** An open answer of server-sent events. */
export interface EventStream {
  write(text: string): void;
  end(): void;
}

/** Response headers by name. */
export type ResponseHeaders = Readonly<Record<string, string>>;

/** Why a request is refused as a whole. */
export interface HttpRefusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: ResponseHeaders;
}

/**
 * One HTTP request and its answer, as far as MCP needs them. Node's `req` and `res` and the web's
 * `Request` and `Response` each have one; nothing is converted between the two.
 */
export interface Exchange {
  readonly method: string;
  /** As received: path and query, or the whole URL. */
  readonly url: string;
  /** True when the request came over the loopback interface, as far as that is known. */
  readonly isLocal: boolean;
  /** The header of this lower-case name; several are joined with `, `. */
  header(name: string): string | undefined;
  /** True when the header is there more than once, as far as that is known. */
  isRepeated(name: string): boolean;
  /** Calls `onBody` once: with the text, or why there is none (too long, broken off, not UTF-8). */
  readBody(maxBytes: number, onBody: (body: string | BodyError) => void): void;
  /** Makes a `readBody` that has not ended yet end with `error`. */
  stopReading(error: BodyError): void;
  /** Calls `listener` when the client goes before the answer is complete. */
  onClose(listener: () => void): void;
  /** Sends the whole answer; a body is JSON. */
  send(status: number, body?: string, headers?: ResponseHeaders): void;
  /** Sends status 200 and the headers at once, and leaves the answer open. */
  openStream(headers: ResponseHeaders): EventStream;
}
