import { expect, test } from "vitest";
import { connect } from "../connect.ts";

test.each([
  [{ "Content-Type": "text/plain" }, "headers: Content-Type is set by the protocol"],
  [{ "mcp-name": "x" }, "headers: mcp-name is set by the protocol"],
  [{ "X-A": "secret\r\nX-B: 1" }, "headers: the value of X-A has characters"],
  [{ "X A": "1" }, 'headers: "X A" is not a header name'],
])("refuses the headers %o", async (headers, message) => {
  const connecting = connect("http://127.0.0.1:1/", { headers });

  await expect(connecting).rejects.toThrow(message);
  await expect(connecting).rejects.not.toThrow("secret");
});

test.each(["ftp://x/", "server.js", "http://user:secret@127.0.0.1/"])(
  "refuses the URL %s",
  async (url) => {
    await expect(connect(url)).rejects.toThrow(TypeError);
    await expect(connect(url)).rejects.not.toThrow("secret");
  },
);
