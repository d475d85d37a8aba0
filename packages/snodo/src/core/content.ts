import { isObject, type JsonObject } from "../json/value.ts";

/** Hints for the host about one block. spec: server/resources#annotations */
export interface ContentAnnotations {
  readonly audience?: readonly ("user" | "assistant")[];
  /** 0 (least) to 1 (most important). */
  readonly priority?: number;
  /** ISO 8601. */
  readonly lastModified?: string;
}

interface BlockExtras {
  readonly annotations?: ContentAnnotations;
  readonly _meta?: JsonObject;
}

/** Text for the model or the user. */
export interface TextBlock extends BlockExtras {
  readonly type: "text";
  readonly text: string;
}

/** An image; `data` is base64. */
export interface ImageBlock extends BlockExtras {
  readonly type: "image";
  readonly data: string;
  readonly mimeType: string;
}

/** Sound; `data` is base64. */
export interface AudioBlock extends BlockExtras {
  readonly type: "audio";
  readonly data: string;
  readonly mimeType: string;
}

/** A resource that the client may read; it need not be in `resources/list`. */
export interface ResourceLinkBlock extends BlockExtras {
  readonly type: "resource_link";
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Bytes. */
  readonly size?: number;
}

/** The contents of a resource: `text`, or `blob` as base64. */
export interface ResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
  readonly _meta?: JsonObject;
}

/** A resource whose contents travel inside the result. */
export interface EmbeddedResourceBlock extends BlockExtras {
  readonly type: "resource";
  readonly resource: ResourceContents;
}

/** One block of a result's `content`. */
export type ContentBlock =
  | TextBlock
  | ImageBlock
  | AudioBlock
  | ResourceLinkBlock
  | EmbeddedResourceBlock;

/** The string members that a block of each type must have; a resource has its own. */
const requiredMembers: Readonly<Record<ContentBlock["type"], readonly string[]>> = {
  text: ["text"],
  image: ["data", "mimeType"],
  audio: ["data", "mimeType"],
  resource_link: ["uri", "name"],
  resource: [],
};

/** True for an array of well-formed content blocks. */
export function isContent(value: unknown): value is readonly ContentBlock[] {
  return Array.isArray(value) && value.every(isContentBlock);
}

function isContentBlock(value: unknown): boolean {
  if (!isObject(value) || typeof value.type !== "string") return false;
  if (!Object.hasOwn(requiredMembers, value.type)) return false;
  if (value.type === "resource") return isResourceContents(value.resource);
  const members: readonly string[] = requiredMembers[value.type as ContentBlock["type"]];
  return members.every((name) => typeof value[name] === "string");
}

function isResourceContents(value: unknown): boolean {
  if (!isObject(value) || typeof value.uri !== "string") return false;
  return typeof value.text === "string" || typeof value.blob === "string";
}
