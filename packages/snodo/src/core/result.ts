import type { JsonObject, JsonValue } from "../json/value.ts";
import type {
  AudioBlock,
  ContentAnnotations,
  ContentBlock,
  EmbeddedResourceBlock,
  ImageBlock,
  ResourceContents,
  ResourceLinkBlock,
} from "./content.ts";

const resultBrand: unique symbol = Symbol.for("snodo.result") as never;

/**
 * A finished tool result, made by the builders of this file. `Output` is the type of
 * `structuredContent`, so that a tool with an output schema is checked by the compiler.
 */
export interface ToolResult<Output = unknown> {
  readonly [resultBrand]: true;
  readonly content: readonly ContentBlock[];
  /** Absent means none; `null` is a value. */
  readonly structuredContent?: Output;
  readonly isError: boolean;
  readonly meta?: JsonObject;
  /** True when the author's own JSON is inside, which is checked before it is sent. */
  readonly isUnchecked: boolean;
  /** True when the text is nothing but the JSON of `structuredContent`. */
  readonly isTextDerived: boolean;
}

/** `_meta` entries for a result. */
export interface ResultOptions {
  /** Becomes `_meta`; the server's own keys win. */
  readonly meta?: JsonObject;
}

interface BlockOptions extends ResultOptions {
  readonly annotations?: ContentAnnotations;
}

/** True for what the builders of this file return, also when they come from another copy of snodo. */
export function isToolResult(value: unknown): value is ToolResult {
  return typeof value === "object" && value !== null && resultBrand in value;
}

function build(
  content: readonly ContentBlock[],
  options: ResultOptions = {},
  extra: { isError?: boolean; isUnchecked?: boolean; isTextDerived?: boolean } = {},
): ToolResult<never> {
  const result = {
    [resultBrand]: true as const,
    content,
    isError: extra.isError ?? false,
    isUnchecked: extra.isUnchecked ?? options.meta !== undefined,
    isTextDerived: extra.isTextDerived ?? false,
  };
  return options.meta === undefined ? result : { ...result, meta: options.meta };
}

const unchecked = { isUnchecked: true };

/** One text block, verbatim. */
export function text(value: string, options?: ResultOptions): ToolResult<never> {
  const content = [{ type: "text", text: value }] as const;
  if (options !== undefined || typeof value !== "string") return build(content, options, unchecked);
  return { [resultBrand]: true, content, isError: false, isUnchecked: false, isTextDerived: false };
}

/**
 * Structured content with a text block beside it: `text` if given, else the JSON of `data`.
 * spec: server/tools#structured-content
 */
export function structured<const Output>(
  data: Output,
  options: ResultOptions & { readonly text?: string } = {},
): ToolResult<Output> {
  const isTextDerived = options.text === undefined;
  const rendered = options.text ?? toJson(data);
  const extra = { isUnchecked: true, isTextDerived };
  const result = build([{ type: "text", text: rendered }], options, extra);
  return { ...result, structuredContent: data };
}

/** The JSON of a value; empty for one that has none, which the server refuses afterwards. */
function toJson(data: unknown): string {
  try {
    return JSON.stringify(data) ?? "";
  } catch {
    return "";
  }
}

/** Several blocks in order: strings become text blocks, other results give their blocks. */
export function content(
  ...parts: readonly (string | ContentBlock | ToolResult)[]
): ToolResult<never> {
  const blocks = parts.flatMap((part): readonly ContentBlock[] => {
    if (typeof part === "string") return [{ type: "text", text: part }];
    return isToolResult(part) ? part.content : [part];
  });
  return build(blocks, {}, { isUnchecked: true });
}

/** One image: base64 text or bytes, and its MIME type. */
export function image(
  data: string | Uint8Array,
  mimeType: string,
  options: BlockOptions = {},
): ToolResult<never> {
  const block = withAnnotations<ImageBlock>(
    { type: "image", data: toBase64(data), mimeType },
    options,
  );
  return build([block], options, unchecked);
}

/** One sound: base64 text or bytes, and its MIME type. */
export function audio(
  data: string | Uint8Array,
  mimeType: string,
  options: BlockOptions = {},
): ToolResult<never> {
  const block = withAnnotations<AudioBlock>(
    { type: "audio", data: toBase64(data), mimeType },
    options,
  );
  return build([block], options, unchecked);
}

/** A link to a resource that the client may read. */
export function resourceLink(
  link: Omit<ResourceLinkBlock, "type">,
  options?: ResultOptions,
): ToolResult<never> {
  return build([{ type: "resource_link", ...link }], options, { isUnchecked: true });
}

/** A resource whose contents travel inside the result. */
export function embedded(
  resource: ResourceContents,
  options: BlockOptions = {},
): ToolResult<never> {
  const block = withAnnotations<EmbeddedResourceBlock>({ type: "resource", resource }, options);
  return build([block], options, { isUnchecked: true });
}

/**
 * The call worked and its outcome is bad: one text block, verbatim, with `isError: true`. The output
 * schema is not checked.
 */
export function failure(message: string, options?: ResultOptions): ToolResult<never> {
  return build([{ type: "text", text: message }], options, {
    isError: true,
    isUnchecked: typeof message !== "string" || options?.meta !== undefined,
  });
}

/** The parts of a wire result, for what no other builder makes. */
export interface RawResult {
  /** Default: none. */
  readonly content?: readonly ContentBlock[];
  /** Present means structured content, `null` included. */
  readonly structuredContent?: unknown;
  /** Default: false. */
  readonly isError?: boolean;
  readonly _meta?: JsonObject;
}

/** A result given in wire form; only what is missing is filled in. */
export function raw<const Result extends RawResult>(
  result: Result,
): ToolResult<Result extends { structuredContent: infer Output } ? Output : never> {
  const built = build(
    result.content ?? [],
    result._meta === undefined ? {} : { meta: result._meta },
    {
      isError: result.isError ?? false,
      isUnchecked: true,
    },
  );
  if (!("structuredContent" in result)) return built;
  return { ...built, structuredContent: result.structuredContent as never };
}

function withAnnotations<Block extends ContentBlock>(block: Block, options: BlockOptions): Block {
  return options.annotations === undefined ? block : { ...block, annotations: options.annotations };
}

function toBase64(data: string | Uint8Array): string {
  if (typeof data === "string") return data;
  let binary = "";
  const chunk = 0x8000;
  for (let start = 0; start < data.length; start += chunk) {
    binary += String.fromCharCode(...data.subarray(start, start + chunk));
  }
  return btoa(binary);
}

/** What a tool handler may return when nothing is known about its output. */
export type AnyToolReturn = JsonValue | ToolResult | object | void;
