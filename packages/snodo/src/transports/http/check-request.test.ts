import { expect, test } from "vitest";
import { acceptedTypes } from "./accept.ts";
import { checkRequest } from "./check-request.ts";
import type { Exchange } from "./exchange.ts";
import { type HttpOptions, toRules } from "./options.ts";

const good = {
  host: "127.0.0.1:3000",
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

function statusFor(
  headers: Record<string, string | undefined>,
  options: HttpOptions = {},
  isLocal = true,
): number | undefined {
  const all: Record<string, string | undefined> = { ...good, ...headers };
  const exchange = {
    method: "POST",
    isLocal,
    header: (name: string) => all[name],
    isRepeated: () => false,
  };
  return checkRequest(exchange as unknown as Exchange, toRules(options))?.status;
}

test.each(["localhost:3000", "LOCALHOST", "127.0.0.1", "[::1]:8080"])(
  "accepts the loopback host %s and its origin [OR05]",
  (host) => {
    expect(statusFor({ host, origin: `http://${host}` })).toBeUndefined();
  },
);

test.each([
  "evil.example:3000",
  "localhost.evil.example",
  "evil-localhost",
  "127.0.0.1.evil.example",
  "user@localhost",
  "127.0.0.2",
  "localhost.",
  "",
  undefined,
])("refuses the host %s over loopback [OR01][OR03][OR06]", (host) => {
  expect(statusFor({ host })).toBe(403);
});

test.each([
  "http://evil.example",
  "https://localhost.evil.example",
  "http://localhost@evil.example",
  "http://localhost/path",
  "null",
  "file://",
  "localhost",
  "http://localhost, http://evil.example",
])("refuses the origin %s over loopback [HTTP-2]", (origin) => {
  expect(statusFor({ origin })).toBe(403);
});

test("asks other interfaces for no host unless hosts are named, but for a known origin always", () => {
  expect(statusFor({ host: "mcp.example.com" }, {}, false)).toBeUndefined();
  expect(statusFor({ host: "mcp.example.com", origin: "http://localhost" }, {}, false)).toBe(403);
  const allowedHosts = ["mcp.example.com", "other.example:8443"];
  expect(statusFor({ host: "MCP.example.com:443" }, { allowedHosts }, false)).toBeUndefined();
  expect(statusFor({ host: "other.example:8443" }, { allowedHosts }, false)).toBeUndefined();
  expect(statusFor({ host: "other.example" }, { allowedHosts }, false)).toBe(403);
  expect(statusFor({ host: "localhost" }, { allowedHosts })).toBe(403);
});

test("accepts exactly the named origins", () => {
  const options = { allowedOrigins: ["https://app.example.com"] };
  expect(statusFor({ origin: "https://app.example.com" }, options)).toBeUndefined();
  expect(statusFor({ origin: "http://app.example.com" }, options)).toBe(403);
  expect(statusFor({ origin: "http://localhost" }, options)).toBe(403);
});

test.each([["https://app.example.com/"], ["app.example.com"], ["*"]])(
  "refuses the option allowedOrigins: %s",
  (origin) => {
    expect(() => toRules({ allowedOrigins: [origin] })).toThrow(/allowedOrigins/);
  },
);

test("refuses an allowed host with a path", () => {
  expect(() => toRules({ allowedHosts: ["a/b"] })).toThrow(/allowedHosts/);
});

test.each([
  ["application/json; charset=utf-8", undefined],
  ["APPLICATION/JSON", undefined],
  ["text/plain", 415],
  ["text/plain; a=application/json", 415],
  ["application/json-patch+json", 415],
  [undefined, 415],
])("answers the content type %s with %s [HT08][HT10][HT11][HT12][HT14]", (type, status) => {
  expect(statusFor({ "content-type": type })).toBe(status);
});

test.each([
  [undefined, true, true],
  ["*/*", true, true],
  ["application/json", true, false],
  ["text/event-stream", false, true],
  ["application/json;q=0, text/event-stream", false, true],
  ["Text/Event-Stream;q=1.0 , APPLICATION/JSON ; q=0.9", true, true],
  ["application/*, text/*;q=0.0", true, false],
  ["text/html", false, false],
  ["*/*, application/json;q=0", false, true],
])("reads the accept header %s [HT01][HT02][HT04][HT05][HT06]", (accept, json, events) => {
  expect(acceptedTypes(accept)).toEqual({ json, events });
  expect(statusFor({ accept })).toBe(json || events ? undefined : 406);
});
