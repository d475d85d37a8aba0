import { expect } from "vitest";
import { modernRequest, toolCall, withMeta } from "../support/modern.ts";
import { type Behaviour, expectRefusal, noHeaders, resultOf, textOf } from "./behaviour.ts";

const headerMismatch = { id: 1, code: -32020, status: 400 };
const version = (value: unknown): object => ({ "io.modelcontextprotocol/protocolVersion": value });
const routed = toolCall("route", { region: "eu", shard: 42, dry: true });
const mirrored = { "Mcp-Param-Region": "eu", "Mcp-Param-Shard": "42", "Mcp-Param-Dry": "true" };

/** Headers that do not fit the call of `route` with region eu, shard 42 and dry true. */
const wrongMirrors = [
  { "Mcp-Param-Region": undefined },
  { "Mcp-Param-Region": "us" },
  { "Mcp-Param-Region": "EU" },
  { "Mcp-Param-Region": "=?base64?ZXU?=" },
  { "Mcp-Param-Region": "=?base64?###?=" },
  { "Mcp-Param-Region": "=?BASE64?ZXU=?=" },
  { "Mcp-Param-Shard": "43" },
  { "Mcp-Param-Shard": "" },
  { "Mcp-Param-Shard": "0x2a" },
  { "Mcp-Param-Shard": "4 2" },
  { "Mcp-Param-Dry": "TRUE" },
  { "Mcp-Param-Dry": "1" },
  { "Mcp-Param-Opt": "x" },
  { "Mcp-Param-Opt": "" },
];

/** The argument, and headers that mirror it. */
const rightMirrors = [
  [{ region: "eu" }, { "Mcp-Param-Region": "eu" }],
  [{ region: "eu" }, { "mcp-param-REGION": "=?base64?ZXU=?=" }],
  [{ region: "" }, { "Mcp-Param-Region": "" }],
  [{ region: " us-west1" }, { "Mcp-Param-Region": "=?base64?IHVzLXdlc3Qx?=" }],
  [{ region: "us west 1" }, { "Mcp-Param-Region": "  us west 1  " }],
  [{ region: "Hello, 世界" }, { "Mcp-Param-Region": "=?base64?SGVsbG8sIOS4lueVjA==?=" }],
  [{ region: "line1\r\nline2" }, { "Mcp-Param-Region": "=?base64?bGluZTENCmxpbmUy?=" }],
  [{ region: "=?BASE64?ZXU=?=" }, { "Mcp-Param-Region": "=?BASE64?ZXU=?=" }],
  [{ region: "=?base64?ZXU=" }, { "Mcp-Param-Region": "=?base64?ZXU=" }],
  [{ region: null, shard: 42 }, { "Mcp-Param-Shard": "42.0" }],
  [{ shard: -7 }, { "Mcp-Param-Shard": "-7" }],
  [{ shard: Number.MAX_SAFE_INTEGER }, { "Mcp-Param-Shard": "9007199254740991" }],
  [{ dry: false }, { "Mcp-Param-Dry": "false" }],
  [{}, { "Mcp-Param-Unknown": "ignored" }],
] as const;

/** Metadata headers and the order in which a request is checked. */
export const headers: readonly Behaviour[] = [
  {
    name: "wants the metadata before it compares the version header [META-3] [TRAP-6]",
    not: noHeaders,
    run: async (peer) => {
      const message = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
      expectRefusal(await peer.send(message), { id: 1, code: -32602, status: 400 });
    },
  },
  {
    name: "compares the version header before it looks whether the version is served [HTTP-33] [TRAP-6]",
    not: noHeaders,
    run: async (peer) => {
      const message = withMeta(modernRequest("tools/list"), version("v999"));
      expectRefusal(await peer.send(message), headerMismatch);
      const reply = await peer.send(message, { headers: { "MCP-Protocol-Version": "v999" } });
      expectRefusal(reply, { id: 1, code: -32022, status: 400 });
    },
  },
  {
    name: "looks whether the version is served before it compares Mcp-Method [HTTP-33]",
    not: noHeaders,
    run: async (peer) => {
      const reply = await peer.send(withMeta(modernRequest("tools/list"), version("v999")), {
        headers: { "MCP-Protocol-Version": "v999", "Mcp-Method": "other" },
      });
      expectRefusal(reply, { id: 1, code: -32022, status: 400 });
    },
  },
  {
    name: "compares Mcp-Method before it looks whether the method is known [HTTP-34]",
    not: noHeaders,
    run: async (peer) => {
      const message = modernRequest("unknown/method");
      expectRefusal(
        await peer.send(message, { headers: { "Mcp-Method": "tools/list" } }),
        headerMismatch,
      );
      expectRefusal(await peer.send(message), { id: 1, code: -32601, status: 404 });
    },
  },
  {
    name: "refuses standard headers that are missing or differ in more than blanks [HTTP-30] [HTTP-31] [HTTP-32] [HTTP-34]",
    not: noHeaders,
    run: async (peer) => {
      const call = toolCall("echo", { text: "x" });
      for (const wrong of [
        { "MCP-Protocol-Version": undefined },
        { "MCP-Protocol-Version": "2025-11-25" },
        { "Mcp-Method": undefined },
        { "Mcp-Method": "TOOLS/CALL" },
        { "Mcp-Name": undefined },
        { "Mcp-Name": "Echo" },
        { "Mcp-Name": "bump" },
        { "Mcp-Name": "=?base64?ZWNobw?=" },
        { "Mcp-Name": "éc" },
      ]) {
        expectRefusal(await peer.send(call, { headers: wrong }), headerMismatch);
      }
    },
  },
  {
    name: "takes header names in any case, blanks around values and encoded values [HTTP-32] [HTTP-41] [HTTP-43]",
    not: noHeaders,
    run: async (peer) => {
      const call = toolCall("echo", { text: "x" });
      for (const right of [
        { "MCP-METHOD": " tools/call  " },
        { "mcp-name": "=?base64?ZWNobw==?=" },
        { "mcp-protocol-version": "2026-07-28 " },
      ]) {
        await resultOf(peer, call, { headers: right });
      }
    },
  },
  {
    name: "wants Mcp-Name only where a method has one [HTTP-31]",
    not: noHeaders,
    run: async (peer) => {
      await resultOf(peer, modernRequest("tools/list"), { headers: { "Mcp-Name": "anything" } });
    },
  },
  {
    name: "compares each annotated argument with its header [T12] [XMH-6] [HTTP-43] [AMB-9]",
    not: noHeaders,
    run: async (peer) => {
      await resultOf(peer, routed, { headers: mirrored });
      for (const wrong of wrongMirrors) {
        expectRefusal(
          await peer.send(routed, { headers: { ...mirrored, ...wrong } }),
          headerMismatch,
        );
      }
    },
  },
  {
    name: "takes every lawful way to mirror an argument [XMH-5] [XMH-6] [HTTP-40] [HTTP-42] [HTTP-44]",
    not: noHeaders,
    run: async (peer) => {
      for (const [args, right] of rightMirrors) {
        const result = await resultOf(peer, toolCall("route", args), { headers: right });
        // A null is mirrored by no header; what it means to the schema is another matter.
        if (Object.values<unknown>(args).includes(null)) continue;
        expect(result.content?.[0]?.text).toBe(JSON.stringify(args));
      }
    },
  },
  {
    name: "refuses an annotated integer that a number cannot hold exactly [XMH-3]",
    not: noHeaders,
    run: async (peer) => {
      const reply = await peer.send(toolCall("route", { shard: 2 ** 53 }), {
        headers: { "Mcp-Param-Shard": "9007199254740992" },
      });
      expectRefusal(reply, headerMismatch);
    },
  },
  {
    name: "checks the headers before the schema, and only those of the tool that is called [T7] [T12]",
    not: noHeaders,
    run: async (peer) => {
      const wrongType = toolCall("route", { region: 7 });
      expectRefusal(await peer.send(wrongType), headerMismatch);
      const headers = { "Mcp-Param-Region": "us" };
      await resultOf(peer, toolCall("echo", { text: "x" }), { headers });
      expectRefusal(await peer.send(toolCall("nosuch"), { headers }), {
        id: 1,
        code: -32602,
        status: 200,
      });
    },
  },
  {
    name: "needs no headers where there are none [T12] [STD-6]",
    not: { "node http": "headers are compared", fetch: "headers are compared" },
    run: async (peer) => {
      expect(await textOf(peer, routed)).toBe('{"region":"eu","shard":42,"dry":true}');
    },
  },
  {
    name: "answers a plain call with JSON and opens a stream only for more than one message [HTTP-12] [HTTP-16] [HTTP-19] [TRAP-7]",
    not: noHeaders,
    run: async (peer) => {
      const plain = await peer.send(toolCall("echo", { text: "x" }));
      expect(plain.headers).toMatchObject({ "content-type": "application/json" });
      const streamed = await peer.send(withMeta(toolCall("flood", { n: 2 }), { progressToken: 1 }));
      expect(streamed.headers).toMatchObject({
        "content-type": "text/event-stream",
        "x-accel-buffering": "no",
        "cache-control": "no-store",
      });
      const refused = await peer.send(withMeta(toolCall("nosuch"), { progressToken: 1 }));
      expect(refused.headers).toMatchObject({ "content-type": "application/json" });
    },
  },
  {
    name: "knows no sessions and no resumption [HTTP-36]",
    not: noHeaders,
    run: async (peer) => {
      const reply = await peer.send(modernRequest("tools/list"), {
        headers: { "Mcp-Session-Id": "s", "Last-Event-ID": "5" },
      });
      expect(reply.status).toBe(200);
      expect(reply.headers).not.toHaveProperty("mcp-session-id");
    },
  },
];
