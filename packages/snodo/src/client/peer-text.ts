/** Longest piece of a server's text in a message, in characters. */
const maxLength = 200;

/** Characters that can forge a line, move the cursor or reorder what a person reads. */
const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** The server's text for a message: on one line, escaped, at most 200 characters of it. */
export function peerText(text: string): string {
  const shown = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return shown.replaceAll(unsafe, toEscape);
}

/** The server's text with its line breaks, escaped otherwise. Bound its length before. */
export function peerLines(text: string): string {
  const lines = text.split(/\r?\n/);
  return lines.map((line) => line.replaceAll("\t", "  ").replaceAll(unsafe, toEscape)).join("\n");
}

function toEscape(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
