const prefix = "=?base64?";
const suffix = "?=";
const plain = /^[\x20-\x7e]*$/;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * A text as the value of a mirrored header: as it is when it is printable ASCII without outer blanks,
 * else `=?base64?…?=` around the Base64 of its UTF-8. spec: HTTP-41, HTTP-42
 */
export function encodeHeaderValue(text: string): string {
  const isPlain = plain.test(text) && text.trim() === text && !isEncoded(text);
  if (isPlain) return text;
  const bytes = new TextEncoder().encode(text);
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return prefix + btoa(binary) + suffix;
}

/**
 * The text that a header value stands for; `undefined` when it is malformed: characters outside
 * printable ASCII and TAB, Base64 that is not strict, bytes that are not UTF-8. spec: HTTP-43
 */
export function decodeHeaderValue(value: string): string | undefined {
  if (!isEncoded(value)) return /^[\t\x20-\x7e]*$/.test(value) ? value : undefined;
  const encoded = value.slice(prefix.length, -suffix.length);
  if (!base64.test(encoded)) return undefined;
  const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function isEncoded(value: string): boolean {
  return (
    value.length >= prefix.length + suffix.length &&
    value.startsWith(prefix) &&
    value.endsWith(suffix)
  );
}
