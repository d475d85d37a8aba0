export type { JsonObject, JsonValue } from "../json/value.ts";
export { errorCodes, RpcError, type ErrorObject, type RpcErrorOptions } from "../jsonrpc/error.ts";
export type { RequestId } from "../jsonrpc/message.ts";
export { basic } from "../schema/basic.ts";
export { withJsonSchema } from "../schema/standard.ts";
export { passthrough, SchemaError, type Check, type Validator } from "../schema/validator.ts";
export type {
  AudioBlock,
  ContentAnnotations,
  ContentBlock,
  EmbeddedResourceBlock,
  ImageBlock,
  ResourceContents,
  ResourceLinkBlock,
  TextBlock,
} from "../core/content.ts";
export type {
  AnyMiddleware,
  Auth,
  Context,
  HeaderReader,
  Middleware,
  Next,
} from "../core/context.ts";
export { ConfigurationError, DefinitionError, ToolError } from "../core/errors.ts";
export type { Instrumentation, SnodoEvent } from "../core/events.ts";
export type { ClientCapabilities, Icon, Implementation } from "../core/implementation.ts";
export { kit, type Kit } from "../core/kit.ts";
export {
  defaultLimits,
  limitTable,
  type LimitName,
  type LimitRow,
  type Limits,
} from "../core/limits.ts";
export type { CacheHint } from "../core/operation.ts";
export {
  audio,
  content,
  embedded,
  failure,
  image,
  raw,
  resourceLink,
  structured,
  text,
  type RawResult,
  type ResultOptions,
  type ToolResult,
} from "../core/result.ts";
export { definition, tool } from "../core/define-tool.ts";
export type {
  ArgumentsOf,
  InputSource,
  OutputOf,
  OutputSource,
  ToolOptions,
} from "../core/infer.ts";
export type { AnyTool, ObjectSchema, Tool, ToolDefinition } from "../core/tool.ts";
export { createServer } from "../server/create-server.ts";
export type { ServerOptions } from "../server/server-options.ts";
export type { FaultInfo } from "../server/engine.ts";
export type { Authorize, PolicyDecision, PolicyRequest } from "../server/policy.ts";
export { live, type LiveServer, type Servable, type Server } from "../server/serving.ts";
