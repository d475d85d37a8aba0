import { expect } from "vitest";
import { modernRequest, toolCall } from "../support/modern.ts";
import { type Behaviour, expectRefusal, resultOf, textOf } from "./behaviour.ts";

const notJson = ["bigint", "nan", "circular", "function", "symbol", "date"];

const returned = [
  ["ret_undefined", { content: [] }],
  [
    "ret_object",
    { content: [{ type: "text", text: '{"a":[1,null]}' }], structuredContent: { a: [1, null] } },
  ],
  ["ret_array", { content: [{ type: "text", text: "[1]" }], structuredContent: [1] }],
  ["ret_zero", { content: [{ type: "text", text: "0" }], structuredContent: 0 }],
  ["ret_false", { content: [{ type: "text", text: "false" }], structuredContent: false }],
  ["ret_null", { content: [{ type: "text", text: "null" }], structuredContent: null }],
  ["echo", { content: [{ type: "text", text: "as it is" }] }],
] as const;

/** Listing and calling tools. */
export const tools: readonly Behaviour[] = [
  {
    name: "lists every tool by name, the same each time [TOOL-2] [TOOL-3] [TOOL-4] [TOOL-5]",
    run: async (peer) => {
      const first = await resultOf(peer, modernRequest("tools/list"));
      const names = (first.tools ?? []).map(({ name }) => name);
      expect(names).toEqual(names.toSorted());
      expect(names).toContain("echo");
      for (const { inputSchema } of first.tools ?? [])
        expect(inputSchema).toMatchObject({ type: "object" });
      expect(first).not.toHaveProperty("nextCursor");
      expect(await resultOf(peer, modernRequest("tools/list"))).toEqual(first);
    },
  },
  {
    name: "gives every tool once over its pages [PAG-2] [PAG-3] [TOOL-3]",
    options: { pageSize: 4 },
    run: async (peer) => {
      const names: string[] = [];
      let cursor: string | undefined;
      do {
        const params = cursor === undefined ? {} : { cursor };
        const page = await resultOf(peer, modernRequest("tools/list", params));
        expect(page.tools?.length).toBeLessThanOrEqual(4);
        names.push(...(page.tools ?? []).map(({ name }) => name));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      expect(new Set(names).size).toBe(names.length);
      expect(names.length).toBeGreaterThan(20);
    },
  },
  {
    name: "refuses cursors that it did not make [PAG-2]",
    options: { pageSize: 4 },
    run: async (peer) => {
      for (const cursor of ["", "4", "NC5hYmM=", "x".repeat(5000)]) {
        const reply = await peer.send(modernRequest("tools/list", { cursor }));
        expectRefusal(reply, { id: 1, code: -32602, status: 200 });
      }
    },
  },
  {
    name: "refuses a cursor that is not a string [PAG-2]",
    run: async (peer) => {
      for (const cursor of [4, null, {}]) {
        const { message } = await peer.send(modernRequest("tools/list", { cursor }));
        expect(message?.error?.code).toBe(-32602);
      }
    },
  },
  {
    name: "knows tools by their exact name [T7] [TOOL-7] [TOOL-14]",
    run: async (peer) => {
      for (const name of ["nosuch", "Echo", "echo ", "constructor", "__proto__"]) {
        const reply = await peer.send(toolCall(name, { text: "x" }), {
          headers: { "Mcp-Name": name === "echo " ? "=?base64?ZWNobyA=?=" : name },
        });
        const error = expectRefusal(reply, { id: 1, code: -32602, status: 200 });
        expect(error.message).toContain("Unknown tool");
      }
    },
  },
  {
    name: "reports an unknown tool before it looks at the arguments [T7]",
    run: async (peer) => {
      const reply = await peer.send(modernRequest("tools/call", { name: "nosuch", arguments: 7 }));
      expect(expectRefusal(reply, { id: 1, code: -32602, status: 200 }).message).toContain(
        "nosuch",
      );
    },
  },
  {
    name: "refuses a call without a name [TOOL-14]",
    run: async (peer) => {
      for (const params of [{ arguments: {} }, { name: 7 }, { name: null }]) {
        const { message } = await peer.send(modernRequest("tools/call", params), {
          headers: { "Mcp-Name": "" },
        });
        expect(message).toMatchObject({ id: 1, error: { code: -32602 } });
      }
    },
  },
  {
    name: "takes absent arguments as none [T7]",
    run: async (peer) => {
      expect(await textOf(peer, modernRequest("tools/call", { name: "noargs" }))).toBe("{}");
    },
  },
  {
    name: "refuses arguments that are not an object [T7] [AMB-4]",
    run: async (peer) => {
      for (const args of [null, [], [1, 2], "a", 7, true]) {
        const reply = await peer.send(
          modernRequest("tools/call", { name: "add", arguments: args }),
        );
        expectRefusal(reply, { id: 1, code: -32602, status: 200 });
      }
    },
  },
  {
    name: "names missing arguments in the order of the schema; null is not missing [T8]",
    run: async (peer) => {
      expect(await resultOf(peer, toolCall("add", {}))).toMatchObject({
        isError: true,
        content: [{ type: "text", text: "Missing required arguments: a, b" }],
      });
      expect(await textOf(peer, toolCall("add", { b: null }))).toBe(
        "Missing required arguments: a",
      );
      expect(await textOf(peer, toolCall("add", { a: null, b: 1 }))).toMatch(
        /^Invalid arguments at \/a: /,
      );
    },
  },
  {
    name: "says where arguments are wrong and never repeats them [T9] [TOOL-15] [AMB-4]",
    run: async (peer) => {
      const result = await resultOf(peer, toolCall("add", { a: "s3cret", b: ["s3cret"] }));
      expect(result.isError).toBe(true);
      const lines = result.content?.[0]?.text?.split("\n") ?? [];
      expect(lines).toEqual([
        expect.stringMatching(/^Invalid arguments at \/a: /),
        expect.stringMatching(/^Invalid arguments at \/b: /),
      ]);
      expect(JSON.stringify(result)).not.toContain("s3cret");
    },
  },
  {
    name: "hands a library's schema output to the tool: defaults, trimmed, converted [T10]",
    run: async (peer) => {
      const text = await textOf(peer, toolCall("edge", { t: "  x ", d: "2026-07-28T00:00:00Z" }));
      expect(JSON.parse(text ?? "")).toEqual(
        expect.arrayContaining([
          ["n", "number", 5],
          ["t", "string", "x"],
          ["d", "Date", "2026-07-28T00:00:00.000Z"],
        ]),
      );
    },
  },
  {
    name: "sends a failure of the work as a result, verbatim [T3] [TOOL-14]",
    run: async (peer) => {
      for (const name of ["fail", "fail_throw"]) {
        expect(await resultOf(peer, toolCall(name))).toMatchObject({
          isError: true,
          content: [{ type: "text", text: "hex.pm returned 503" }],
        });
      }
    },
  },
  {
    name: "sends a refusal of the request as an error, unchanged [T4] [T5]",
    run: async (peer) => {
      for (const name of ["refuse", "refuse_throw"]) {
        const error = expectRefusal(await peer.send(toolCall(name)), {
          id: 1,
          code: -32602,
          status: 200,
        });
        expect(error).toEqual({
          code: -32602,
          message: "version must be a semantic version",
          data: { given: "1" },
        });
      }
    },
  },
  {
    name: "keeps an unexpected error to itself and gives a reference [T6]",
    run: async (peer) => {
      const result = await resultOf(peer, toolCall("boom"));
      expect(result).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(/^Tool execution failed \(ref [\da-f]{6}\)$/) }],
      });
      expect(JSON.stringify(result)).not.toMatch(/hunter2|\/srv|x\.ts/);
    },
  },
  {
    name: "checks structured content against the output schema [T13] [TOOL-13]",
    run: async (peer) => {
      expect(await resultOf(peer, toolCall("weather"))).toMatchObject({
        structuredContent: { t: 21.5 },
        content: [{ type: "text", text: '{"t":21.5}' }],
      });
      for (const name of ["weather_bad", "weather_none"]) {
        const error = expectRefusal(await peer.send(toolCall(name)), {
          id: 1,
          code: -32603,
          status: 200,
        });
        expect(JSON.stringify(error)).not.toContain("/t");
      }
    },
  },
  {
    name: "takes null as structured content and lets failures go without any [T13] [AMB-8] [TRAP-19]",
    run: async (peer) => {
      expect(await resultOf(peer, toolCall("weather_null"))).toMatchObject({
        structuredContent: null,
      });
      const failed = await resultOf(peer, toolCall("weather_failed"));
      expect(failed).toMatchObject({ isError: true, content: [{ text: "no sensor" }] });
      expect(failed).not.toHaveProperty("structuredContent");
    },
  },
  {
    name: "turns what a tool returns into a result [T14] [TOOL-10] [TOOL-12] [TRAP-19]",
    run: async (peer) => {
      for (const [name, expected] of returned) {
        const { content, structuredContent } = await resultOf(
          peer,
          toolCall(name, { text: "as it is" }),
        );
        expect({ content, structuredContent }).toEqual(expected);
      }
    },
  },
  {
    name: "answers -32603 for what JSON cannot carry and goes on [T14]",
    run: async (peer) => {
      for (const what of notJson) {
        const reply = await peer.send(toolCall(`ret_${what}`));
        expectRefusal(reply, { id: 1, code: -32603, status: 200 });
      }
      expect(await textOf(peer, toolCall("echo", { text: "alive" }))).toBe("alive");
    },
  },
  {
    name: "carries text unchanged, separators and emoji included [STD-1]",
    run: async (peer) => {
      const text = "é—世界🙂 \u2028\u2029\u0085 \r\n\t \\u0000 \u0000 \ud800";
      expect(await textOf(peer, toolCall("echo", { text }))).toBe(text);
    },
  },
];
