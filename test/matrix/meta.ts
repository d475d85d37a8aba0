import { expect } from "vitest";
import { modernRequest, toolCall, withMeta } from "../support/modern.ts";
import { type Behaviour, expectRefusal, notByClient, resultOf } from "./behaviour.ts";

const key = (name: string): string => `io.modelcontextprotocol/${name}`;

const wrongMeta = [
  { [key("protocolVersion")]: undefined },
  { [key("protocolVersion")]: 20260728 },
  { [key("protocolVersion")]: null },
  { [key("clientCapabilities")]: undefined },
  { [key("clientCapabilities")]: null },
  { [key("clientCapabilities")]: [] },
  { [key("clientCapabilities")]: { elicitation: true } },
  { [key("clientCapabilities")]: { sampling: [] } },
  { [key("clientCapabilities")]: { roots: "all" } },
  { [key("clientCapabilities")]: { experimental: null } },
  { [key("clientCapabilities")]: { extensions: 1 } },
  { [key("clientInfo")]: "probe" },
  { [key("clientInfo")]: { name: "probe" } },
  { progressToken: 1.5 },
  { progressToken: null },
];

const versions = ["2099-01-01", "2025-11-25", "", "v999"];

/** What a request says about itself, and the version it is written in. */
export const meta: readonly Behaviour[] = [
  {
    name: "refuses a request without _meta on every method [META-1] [META-3] [TRAP-1]",
    not: notByClient,
    run: async (peer) => {
      for (const method of ["server/discover", "tools/list", "tools/call"]) {
        for (const params of [undefined, {}, { _meta: null }, { _meta: {} }, { _meta: [] }]) {
          const reply = await peer.send({ jsonrpc: "2.0", id: "m", method, params });
          expectRefusal(reply, { id: "m", code: -32602, status: 400 });
        }
      }
    },
  },
  {
    name: "refuses metadata that is missing or of the wrong type [META-3] [PRG-1]",
    not: notByClient,
    run: async (peer) => {
      for (const changes of wrongMeta) {
        const reply = await peer.send(withMeta(modernRequest("tools/list"), changes));
        expectRefusal(reply, { id: 1, code: -32602, status: 400 });
      }
    },
  },
  {
    name: "serves a client that does not say who it is [META-3] [TRAP-2]",
    not: notByClient,
    run: async (peer) => {
      await resultOf(
        peer,
        withMeta(modernRequest("tools/list"), { [key("clientInfo")]: undefined }),
      );
    },
  },
  {
    name: "ignores metadata that it does not know [META-9] [VER-9]",
    run: async (peer) => {
      const extra = { "com.example/a": 1, traceparent: 7, [key("later")]: {} };
      await resultOf(peer, withMeta(modernRequest("tools/list"), extra));
    },
  },
  {
    name: "takes capabilities that it does not know, whatever their form [META-3] [VER-9]",
    not: notByClient,
    run: async (peer) => {
      const capabilities = { later: true, "com.example/x": [1], sampling: { later: 7 } };
      const message = withMeta(modernRequest("tools/list"), {
        [key("clientCapabilities")]: capabilities,
      });
      await resultOf(peer, message);
    },
  },
  {
    name: "remembers nothing of an earlier request [BASE-12] [META-4] [TRAP-30]",
    not: notByClient,
    run: async (peer) => {
      await resultOf(peer, modernRequest("server/discover"));
      const reply = await peer.send({ jsonrpc: "2.0", id: 2, method: "tools/list", params: {} });
      expectRefusal(reply, { id: 2, code: -32602, status: 400 });
    },
  },
  {
    name: "says in every result who it is [META-6] [RT-1] [TRAP-3]",
    run: async (peer) => {
      const requests = [
        modernRequest("server/discover"),
        modernRequest("tools/list"),
        toolCall("noargs"),
        toolCall("fail"),
      ];
      for (const request of requests) {
        const result = await resultOf(peer, request);
        expect(result["_meta"]).toEqual({
          [key("serverInfo")]: { name: "fixture", version: "1.0.0" },
        });
        expect(result).not.toHaveProperty("serverInfo");
      }
    },
  },
  {
    name: "refuses versions that it does not serve and names those it does [VER-2] [DISC-2] [AMB-6]",
    not: notByClient,
    run: async (peer) => {
      const discovery = await resultOf(peer, modernRequest("server/discover"));
      for (const version of versions) {
        const reply = await peer.send(
          withMeta(modernRequest("tools/list"), { [key("protocolVersion")]: version }),
          { headers: { "MCP-Protocol-Version": version } },
        );
        const { data } = expectRefusal(reply, { id: 1, code: -32022, status: 400 });
        expect(data).toEqual({ requested: version, supported: discovery["supportedVersions"] });
      }
    },
  },
  {
    name: "names its versions to a client that tries the old handshake [VER-6]",
    not: notByClient,
    run: async (peer) => {
      const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: {} };
      const reply = await peer.send(
        { jsonrpc: "2.0", id: 0, method: "initialize", params },
        { headers: { "MCP-Protocol-Version": undefined, "Mcp-Method": undefined } },
      );
      const error = expectRefusal(reply, { id: 0, code: -32602, status: 400 });
      expect(error.message).toContain("2026-07-28");
    },
  },
  {
    name: "names its versions also to a handshake in modern dress [VER-6]",
    run: async (peer) => {
      const reply = await peer.send(modernRequest("initialize"));
      const error = expectRefusal(reply, { id: 1, code: -32601, status: 404 });
      expect(JSON.stringify(error)).toContain("2026-07-28");
    },
  },
];
