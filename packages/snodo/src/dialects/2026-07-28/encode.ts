import { EncodedJson } from "../../jsonrpc/message.ts";
import type { Operation, OperationResults, ServerFacts, ToolPage } from "../../core/operation.ts";
import type { ToolResult } from "../../core/result.ts";
import type { ToolDefinition } from "../../core/tool.ts";
import type { Dialect } from "../dialect.ts";
import { metaKeys } from "../envelope.ts";

type Encoders = {
  readonly [Kind in Operation["kind"]]: (
    result: OperationResults[Kind],
    server: ServerFacts,
  ) => object;
};

const encoders: Encoders = {
  discover: (facts) => encodeOnce(facts, facts, encodeDiscovery),
  listTools: (page, server) => encodeOnce(page, server, encodeToolPage),
  callTool: encodeToolResult,
};

/** The wire form of each result of this revision. */
export const encodeResult: Dialect["encodeResult"] = (kind, result, server) =>
  encoders[kind](result, server);

// Discovery and list pages are the same object for the same content, so their text is made once.
const encodedTexts = new WeakMap<object, EncodedJson>();

function encodeOnce<T extends object>(
  value: T,
  server: ServerFacts,
  encode: (value: T, server: ServerFacts) => object,
): EncodedJson {
  let text = encodedTexts.get(value);
  if (text === undefined) {
    text = new EncodedJson(encode(value, server));
    encodedTexts.set(value, text);
  }
  return text;
}

function encodeDiscovery(facts: ServerFacts): object {
  return {
    resultType: "complete",
    supportedVersions: facts.versions,
    capabilities: facts.capabilities,
    ...(facts.instructions === undefined ? {} : { instructions: facts.instructions }),
    ttlMs: facts.discoverCache.ttlMs,
    cacheScope: facts.discoverCache.scope,
    _meta: serverMeta(facts),
  };
}

function encodeToolPage(page: ToolPage, server: ServerFacts): object {
  return {
    resultType: "complete",
    tools: page.tools.map(encodeTool),
    ...(page.nextCursor === undefined ? {} : { nextCursor: page.nextCursor }),
    ttlMs: page.cache.ttlMs,
    cacheScope: page.cache.scope,
    _meta: serverMeta(server),
  };
}

function encodeTool(definition: ToolDefinition): object {
  const { meta, annotations, ...rest } = definition;
  return {
    ...rest,
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    ...(meta === undefined ? {} : { _meta: meta }),
  };
}

function encodeToolResult(result: ToolResult, server: ServerFacts): object {
  const wire: { [key: string]: unknown } = { resultType: "complete", content: result.content };
  if (result.structuredContent !== undefined) {
    wire["structuredContent"] = result.structuredContent;
  }
  if (result.isError) wire["isError"] = true;
  const own = serverMetas.get(server) ?? serverMeta(server);
  wire["_meta"] = result.meta === undefined ? own : { ...result.meta, ...own };
  return wire;
}

const serverMetas = new WeakMap<ServerFacts, object>();

function serverMeta(server: ServerFacts): object {
  const own = { [metaKeys.serverInfo]: server.info };
  serverMetas.set(server, own);
  return own;
}
