import { allDialects } from "../dialects/index.ts";
import { ConfigurationError } from "../core/errors.ts";
import { emit } from "../core/events.ts";
import { type Limits, resolveLimits } from "../core/limits.ts";
import type { Implementation } from "../core/implementation.ts";
import type { MaybePromise } from "../core/maybe-promise.ts";
import type { CacheHint } from "../core/operation.ts";
import { isPortableName } from "../core/define-tool.ts";
import type { AnyTool, CompiledTool } from "../core/tool.ts";
import { needsValidator } from "../schema/needs-validator.ts";
import { passthrough } from "../schema/validator.ts";
import { checkOptions, checkTogether } from "./check-options.ts";
import { compileTools } from "./compile-tools.ts";
import type { Engine, FaultInfo } from "./engine.ts";
import { Gate } from "./gate.ts";
import { compose } from "./middleware.ts";
import { callTool } from "./operations/call-tool.ts";
import { listTools } from "./operations/list-tools.ts";
import type { ServerRequest } from "./server-request.ts";
import { toServedTool } from "./served-tool.ts";
import type { ServerOptions } from "./server-options.ts";
import { register, type Server } from "./serving.ts";
import { ToolRegistry } from "./tool-registry.ts";

const notCached: CacheHint = Object.freeze({ ttlMs: 0, scope: "private" });

/**
 * Builds a server out of definitions: checked once, frozen, and shared by every transport and caller.
 * Throws {@link ConfigurationError} with all problems at once.
 */
export function createServer<const Tools extends readonly AnyTool[] = readonly []>(
  options: ServerOptions<Tools>,
): Server<Tools> {
  const problems: string[] = [];
  const usable = checkOptions(options, problems);
  const limits = resolveLimits(usable.limits ?? {}, problems);
  checkTogether(usable, limits, problems);
  const tools = compileTools(usable.tools ?? [], usable.validator ?? passthrough, problems);
  if (problems.length > 0) throw new ConfigurationError(problems);
  warn(options, tools);
  const server = describe(options);
  const engine = buildEngine(options, tools, limits);
  register(server, { engine });
  return server;
}

/** Says once what the author should know; neither is an error. */
function warn(options: ServerOptions, tools: readonly CompiledTool[]): void {
  const sink = options.instrumentation;
  if (options.validator === undefined) {
    const names = tools.filter(isUnenforced).map((tool) => tool.definition.name);
    if (names.length > 0) {
      emit(sink, { type: "schema.unenforced", tools: names });
      console.error(
        `snodo: beyond "required", nothing enforces the JSON Schemas of: ${names.join(", ")}. ` +
          "Set the option validator: basic or jsonSchema() enforce them, passthrough silences this line.",
      );
    }
  }
  const names = tools.map((tool) => tool.definition.name).filter((name) => !isPortableName(name));
  if (names.length > 0) {
    emit(sink, { type: "name.unportable", names });
    console.error(
      `snodo: some hosts refuse tool names outside [A-Za-z0-9_.-]: ${names.join(", ")}`,
    );
  }
}

/** True when a raw schema of the tool has rules that the pass-through validator lets pass. */
function isUnenforced({ definition, parseInput, parseOutput }: CompiledTool): boolean {
  if (parseInput === undefined && needsValidator(definition.inputSchema)) return true;
  const { outputSchema } = definition;
  return (
    parseOutput === undefined && outputSchema !== undefined && Object.keys(outputSchema).length > 0
  );
}

function describe<Tools extends readonly AnyTool[]>(options: ServerOptions<Tools>): Server<Tools> {
  const { instructions } = options;
  return Object.freeze({
    ...describeImplementation(options),
    ...(instructions === undefined ? {} : { instructions }),
    protocols: Object.freeze(servedDialects(options).map((dialect) => dialect.version)),
    tools: Object.freeze([...(options.tools ?? [])]) as unknown as Tools,
  });
}

function servedDialects({ protocols }: ServerOptions): typeof allDialects {
  return protocols === undefined
    ? allDialects
    : allDialects.filter((dialect) => protocols.includes(dialect.version));
}

function buildEngine(
  options: ServerOptions,
  tools: readonly CompiledTool[],
  limits: Limits,
): Engine {
  const dialects = servedDialects(options);
  const validator = options.validator ?? passthrough;
  const served = tools.map((tool) => toServedTool(tool, validator));
  const perform = (request: ServerRequest): MaybePromise<unknown> => {
    const { operation } = request;
    switch (operation.kind) {
      case "discover":
        return engine.facts;
      case "listTools":
        return listTools(engine, request, operation);
      case "callTool":
        return callTool(engine, request, operation);
    }
  };
  const engine: Engine = Object.freeze({
    facts: Object.freeze({
      info: describeImplementation(options),
      instructions: options.instructions,
      versions: dialects.map((dialect) => dialect.version),
      capabilities: tools.length === 0 ? {} : { tools: {} },
      discoverCache: options.cache?.discover ?? notCached,
    }),
    dialects: new Map(dialects.map((dialect) => [dialect.version, dialect])),
    limits,
    gate: new Gate(limits.inFlight, limits.queue),
    tools: new ToolRegistry(served, {
      pageSize: options.pageSize ?? Number.POSITIVE_INFINITY,
      cache: options.cache?.tools ?? notCached,
    }),
    authorize: options.authorize,
    run: compose(options.use ?? [], perform),
    hasMiddleware: (options.use ?? []).length > 0,
    sink: options.instrumentation,
    onError: options.onError ?? logFault,
    exposeErrors: options.exposeErrors ?? false,
  });
  return engine;
}

function describeImplementation(options: ServerOptions): Implementation {
  const { name, version, title, description, websiteUrl, icons } = options;
  return Object.freeze({
    name,
    version,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(websiteUrl === undefined ? {} : { websiteUrl }),
    ...(icons === undefined ? {} : { icons }),
  });
}

function logFault(error: unknown, { ref, method, target }: FaultInfo): void {
  console.error(
    `snodo: ${method}${target === undefined ? "" : ` ${target}`} failed (ref ${ref})`,
    error,
  );
}
