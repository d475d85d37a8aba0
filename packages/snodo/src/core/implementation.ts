import type { JsonObject } from "../json/value.ts";

/** An icon: an `https:` or `data:` URI. spec: ICON-1 */
export interface Icon {
  readonly src: string;
  readonly mimeType?: string;
  /** `"48x48"` or `"any"`. */
  readonly sizes?: readonly string[];
  readonly theme?: "light" | "dark";
}

/** Name and version of a server or client, as it presents itself. Never a basis for decisions. */
export interface Implementation {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly description?: string;
  readonly websiteUrl?: string;
  readonly icons?: readonly Icon[];
}

/** What a client can do for the server, declared on each request. spec: client capabilities */
export interface ClientCapabilities {
  readonly experimental?: JsonObject;
  readonly roots?: JsonObject;
  readonly sampling?: JsonObject;
  readonly elicitation?: JsonObject;
  readonly extensions?: JsonObject;
}
