import { isJsonObject, type JsonObject } from "../json/value.ts";
import { toPointer } from "../json/pointer.ts";
import { errorCodes, RpcError } from "../jsonrpc/error.ts";
import { describeComponent } from "../core/checks.ts";
import { longestTimerMs } from "../core/limits.ts";
import type { AnyTool } from "../core/tool.ts";
import { OutputChecks } from "./check-output.ts";
import { ClientError } from "./client-error.ts";
import { protocolVersion } from "./compose-request.ts";
import { Connection, type Question } from "./connection.ts";
import {
  assertShallow,
  breach,
  type CallResult,
  decodeCallResult,
  decodeDiscovery,
  findRounded,
  type ServerDescription,
} from "./decode-result.ts";
import type { ClientSettings, RequestOptions } from "./options.ts";
import { peerText } from "./peer-text.ts";
import type { Deadline } from "./pending-call.ts";
import { SharedReading } from "./shared-reading.ts";
import { type ListedTool, ToolCatalog, type ToolProblem } from "./tool-catalog.ts";
import type { ClientTransport } from "./transport.ts";
import type { CallParameters, ToolArguments, ToolName, ToolOutput } from "./typed-tools.ts";

/** A list may have many pages, so their cursors are bounded, too. */
const maxCursorLength = 16 * 1024;

const noOptions: RequestOptions = Object.freeze({});

/**
 * A client of one server. Any number of requests may run at once. Every method rejects with `RpcError`
 * for what the server answered, with `ClientError` for failures on this side, and with the reason of
 * the caller's signal when that is aborted. Made by `connect`.
 */
export class Client<
  Tools extends readonly AnyTool[] = readonly AnyTool[],
> implements AsyncDisposable {
  readonly #connection: Connection;
  readonly #settings: ClientSettings;
  readonly #catalog: ToolCatalog;
  readonly #checks: OutputChecks;
  #server: ServerDescription = { supportedVersions: [], capabilities: {} };
  readonly #listing: SharedReading = new SharedReading((signal, onPage) =>
    this.#readList(signal, onPage),
  );

  constructor(transport: ClientTransport, settings: ClientSettings) {
    this.#connection = new Connection(transport, settings);
    this.#settings = settings;
    this.#checks = new OutputChecks(settings.validator);
    this.#catalog = new ToolCatalog({
      isHttp: transport.kind === "http",
      maxLength: settings.maxCatalogLength,
      onProblem: ({ name, reason }) => {
        const message = `${describeComponent("tool", name)} is left out: ${reason}`;
        this.#connection.warn("tool-dropped", message);
      },
    });
  }

  /** What the server said about itself when it was last asked. */
  get server(): ServerDescription {
    return this.#server;
  }

  /** Tools that are left out of {@link listTools}, and why; once each. */
  get problems(): readonly ToolProblem[] {
    return this.#catalog.problems;
  }

  /** Opens the transport and asks the server who it is. Called once, by `connect`. */
  async open(signal?: AbortSignal): Promise<void> {
    const options = signal === undefined ? noOptions : { signal };
    await this.#connection.start(options);
    const { supportedVersions } = await this.discover(options);
    if (supportedVersions.includes(protocolVersion)) return;
    const supported = peerText(supportedVersions.join(", "));
    throw breach(`The server supports ${supported}; this client speaks ${protocolVersion}`);
  }

  /** Asks the server which revisions and capabilities it has. */
  async discover(options: RequestOptions = noOptions): Promise<ServerDescription> {
    this.#server = decodeDiscovery(await this.request("server/discover", {}, options));
    return this.#server;
  }

  /**
   * Calls a tool. A tool that fails gives a result with `isError: true`. A call is never repeated,
   * unless the server refused its headers: then once, after reading `tools/list`.
   */
  async callTool<const Name extends ToolName<Tools>>(
    name: Name,
    ...parameters: CallParameters<ToolArguments<Tools, Name>>
  ): Promise<CallResult<ToolOutput<Tools, Name>>> {
    const [args, options = noOptions] = parameters;
    const params =
      args === undefined
        ? { name }
        : { name, arguments: this.#connection.own(args, "The arguments") };
    const result = await this.#callTool(name, params, options);
    return result as CallResult<ToolOutput<Tools, Name>>;
  }

  /**
   * The tools, page after page. Entries that cannot be used are left out, see {@link problems}. The total
   * time is that of all pages, without the time between them that the caller takes. Throws `ClientError`
   * on a repeated cursor, after `maxPages` pages and over `maxCatalogLength`. spec: PAG-1
   */
  async *listTools(options: RequestOptions = noOptions): AsyncGenerator<ListedTool, void, void> {
    for await (const page of this.#pages(options)) yield* page;
  }

  /** Sends any request and gives its result as it came, once it is known to be complete. */
  async request(
    method: string,
    params: JsonObject = {},
    options: RequestOptions = noOptions,
  ): Promise<JsonObject> {
    if (!/^[\x21-\x7e]+$/.test(method)) throw new TypeError("The method must be printable ASCII");
    const { _meta, ...own } = this.#connection.own(params, "The parameters");
    const meta = isJsonObject(_meta) ? { ..._meta, ...options.meta } : options.meta;
    const result = await this.#connection.ask({
      method,
      params: own,
      options: meta === undefined ? options : { ...options, meta },
      deadline: this.#connection.deadline(options),
    });
    assertShallow(result);
    return result;
  }

  /** Gives up what is in flight and closes the connection. Never rejects. */
  close(): Promise<void> {
    return this.#connection.close();
  }

  /** The same as {@link close}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #callTool(name: string, params: object, options: RequestOptions): Promise<CallResult> {
    const deadline = this.#connection.deadline(options);
    // A verdict must not depend on whether the tools were listed before.
    if (this.#settings.validator !== undefined && !this.#catalog.isComplete) {
      await this.#relist(options, deadline);
    }
    const known = this.#catalog.get(name);
    if (known !== undefined) this.#checks.prepare(known.tool);
    const result = await this.#askForCall(name, {
      method: "tools/call",
      params,
      options,
      deadline,
    });
    assertShallow(result);
    const decoded = decodeCallResult(result);
    if (this.#connection.kind !== "in-process") this.#warnOfRounding(name, decoded);
    if (known !== undefined) this.#checks.check(known.tool, decoded);
    return decoded;
  }

  async #askForCall(name: string, question: Question): Promise<JsonObject> {
    const ask = (): Promise<JsonObject> =>
      this.#connection.ask({ ...question, mirrors: this.#catalog.get(name)?.mirrors ?? [] });
    if (this.#connection.kind !== "http") return this.#connection.ask(question);
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof RpcError) || error.code !== errorCodes.headerMismatch) throw error;
      await this.#relist(question.options, question.deadline);
      return ask();
    }
  }

  /** Reads the whole list of tools; calls at the same time share one reading. */
  #relist(options: RequestOptions, deadline: Deadline): Promise<void> {
    return this.#connection.wait(options, deadline, (call) => this.#listing.join(call));
  }

  async #readList(signal: AbortSignal, onPage: () => void): Promise<void> {
    const times = { timeoutMs: longestTimerMs, totalTimeoutMs: longestTimerMs };
    for await (const _ of this.#pages({ signal, ...times })) onPage();
  }

  async *#pages(options: RequestOptions): AsyncGenerator<readonly ListedTool[], void, void> {
    const seen = new Set<string>();
    const cursors = new Set<string>();
    const total = this.#connection.deadline(options);
    let pausedMs = 0;
    let params: object = {};
    for (let page = 0; page < this.#settings.maxPages; page += 1) {
      const deadline = { ...total, endsAt: total.endsAt + pausedMs };
      const question: Question = { method: "tools/list", params, options, deadline };
      const result = await this.#connection.ask(question);
      const tools = this.#catalog.readPage(result, seen);
      const pausedAt = performance.now();
      yield tools;
      pausedMs += performance.now() - pausedAt;
      const cursor = result["nextCursor"] ?? undefined;
      if (cursor === undefined) {
        this.#catalog.finishList(seen);
        return;
      }
      if (typeof cursor !== "string") throw breach('The member "nextCursor" must be a string');
      if (cursor.length > maxCursorLength) {
        throw breach(`The cursor has more than ${maxCursorLength} characters`);
      }
      if (cursors.has(cursor)) throw breach("The server gave the same cursor twice");
      cursors.add(cursor);
      params = { cursor };
    }
    const message = `The list has more than ${this.#settings.maxPages} pages (option maxPages)`;
    throw new ClientError("limit", message, { outcome: "unknown" });
  }

  #warnOfRounding(name: string, { structuredContent }: CallResult): void {
    const path = findRounded(structuredContent);
    if (path === undefined) return;
    const where = `structuredContent${peerText(toPointer(path))} of ${describeComponent("tool", name)}`;
    this.#connection.warn(
      "number-rounded",
      `${where} is an integer that JavaScript may have rounded`,
    );
  }
}
