/** Headers of the transport itself. */
const fixedHeaders: Readonly<Record<string, string>> = {
  "Content-Type": "application/json",
  Accept: "application/json, text/event-stream",
};

const reserved =
  /^(?:host|connection|content-length|content-type|transfer-encoding|accept|mcp-.*)$/;
const token = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;

/**
 * The headers of every request: the transport's own and those of the option `headers`. Throws
 * `TypeError` for one that the protocol sets, and for names and values that HTTP cannot carry; the
 * value is not in the message.
 */
export function checkedHeaders(
  headers: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (!token.test(lower))
      throw new TypeError(`headers: ${JSON.stringify(name)} is not a header name`);
    if (reserved.test(lower)) throw new TypeError(`headers: ${name} is set by the protocol`);
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw new TypeError(
        `headers: the value of ${name} has characters that a header cannot carry`,
      );
    }
  }
  return { ...headers, ...fixedHeaders };
}

/**
 * The endpoint of a server. Throws `TypeError` for what is not an `http:` or `https:` URL, and for
 * credentials in it, which would end up in logs.
 */
export function checkedUrl(target: string | URL): URL {
  const url = URL.canParse(target) ? new URL(target) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    throw new TypeError(
      "Expected an http: or https: URL; use { command, args } to start a program",
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new TypeError("The URL must not hold credentials; use the option headers");
  }
  return url;
}
