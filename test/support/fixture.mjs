// Plain JavaScript, so that every supported Node runs it as a process of its own.
import { setTimeout as delay } from "node:timers/promises";
import { createServer, failure, raw, RpcError, structured, tool, ToolError } from "snodo";
import { jsonSchema } from "snodo/json-schema";
import { z } from "zod";

/** @typedef {{ started: number, finished: number, count: number }} Tally */

const keyed = { type: "object", properties: { key: { type: "string" } }, required: ["key"] };
const integer = (name) => ({
  type: "object",
  properties: { [name]: { type: "integer" } },
  required: [name],
});
const degrees = { type: "object", properties: { t: { type: "number" } }, required: ["t"] };

const plainTools = [
  tool({
    name: "echo",
    input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    call: ({ text }) => text,
  }),
  tool({ name: "echo_int", input: integer("n"), call: ({ n }) => String(n) }),
  tool({
    name: "add",
    input: {
      type: "object",
      properties: { a: { type: "number" }, b: { type: "number" } },
      required: ["a", "b"],
    },
    call: ({ a, b }) => String(a + b),
  }),
  tool({ name: "big", input: integer("bytes"), call: ({ bytes }) => "x".repeat(bytes) }),
  tool({
    name: "edge",
    input: z.object({
      n: z.int().default(5),
      s: z.string().optional(),
      t: z.string().trim(),
      d: z.iso.datetime().transform((text) => new Date(text)),
    }),
    call: (args) =>
      JSON.stringify(
        Object.entries(args).map(([key, value]) => [
          key,
          value instanceof Date ? "Date" : typeof value,
          value,
        ]),
      ),
  }),
  tool({ name: "noargs", call: (args) => JSON.stringify(args) }),
  tool({
    name: "pattern",
    input: {
      type: "object",
      properties: { v: { type: "string", pattern: "^(\\w+\\s?)*$" } },
      required: ["v"],
    },
    call: ({ v }) => v,
  }),
  tool({ name: "pollution", call: () => String({}.polluted) }),
  tool({
    name: "route",
    input: {
      type: "object",
      properties: {
        region: { type: "string", "x-mcp-header": "Region" },
        shard: { type: "integer", "x-mcp-header": "Shard" },
        dry: { type: "boolean", "x-mcp-header": "Dry" },
        opt: { type: "string", "x-mcp-header": "Opt" },
      },
    },
    call: (args) => JSON.stringify(args),
  }),
];

const hostileTools = [
  tool({
    name: "boom",
    call: () => {
      throw new Error("db password=hunter2 at /srv/app/x.ts:10");
    },
  }),
  tool({
    name: "noisy",
    call: () => {
      console.log("noise");
      console.info("noise");
      console.debug("noise");
      return "ok";
    },
  }),
  tool({
    name: "flood",
    input: integer("n"),
    call: ({ n }, ctx) => {
      for (let done = 1; done <= n; done += 1) ctx.progress(done, n);
      return "ok";
    },
  }),
];

/** The two failure shapes, each returned or thrown. */
const failingTools = [
  tool({ name: "fail", call: () => failure("hex.pm returned 503") }),
  tool({
    name: "fail_throw",
    call: () => {
      throw new ToolError("hex.pm returned 503");
    },
  }),
  tool({
    name: "refuse",
    call: () => RpcError.invalidParams("version must be a semantic version", { given: "1" }),
  }),
  tool({
    name: "refuse_throw",
    call: () => {
      throw RpcError.invalidParams("version must be a semantic version", { given: "1" });
    },
  }),
];

const circular = {};
circular.self = circular;

const returned = {
  bigint: 10n,
  nan: Number.NaN,
  undefined,
  circular,
  function: () => 1,
  symbol: Symbol("s"),
  date: new Date(0),
  object: { a: [1, null] },
  array: [1],
  zero: 0,
  false: false,
  null: null,
};

const returningTools = [
  ...Object.entries(returned).map(([what, value]) =>
    tool({ name: `ret_${what}`, call: () => value }),
  ),
  tool({ name: "weather", output: degrees, call: () => ({ t: 21.5 }) }),
  tool({ name: "weather_bad", output: degrees, call: () => structured({ t: "x" }) }),
  tool({ name: "weather_none", output: degrees, call: () => raw({}) }),
  tool({ name: "weather_null", output: {}, call: () => raw({ structuredContent: null }) }),
  tool({ name: "weather_failed", output: degrees, call: () => failure("no sensor") }),
];

/** Tools that count what happened to a key; `count` tells. */
function countingTools() {
  /** @type {Map<string, Tally>} */
  const tallies = new Map();
  const tallyOf = (key) => {
    const tally = tallies.get(key) ?? { started: 0, finished: 0, count: 0 };
    tallies.set(key, tally);
    return tally;
  };
  return [
    tool({
      name: "slow",
      input: {
        type: "object",
        properties: { ms: { type: "integer" }, key: { type: "string" } },
        required: ["ms"],
      },
      call: async ({ ms, key = "slow" }, ctx) => {
        const tally = tallyOf(key);
        tally.started += 1;
        let ticks = 0;
        const timer = setInterval(() => ctx.progress((ticks += 1)), 50);
        try {
          await delay(ms, undefined, { signal: ctx.signal });
        } finally {
          clearInterval(timer);
        }
        tally.finished += 1;
        return key;
      },
    }),
    tool({
      name: "bump",
      input: keyed,
      call: ({ key }) => String((tallyOf(key).count += 1)),
    }),
    tool({ name: "count", input: keyed, call: ({ key }) => structured({ ...tallyOf(key) }) }),
  ];
}

/**
 * A server whose tools behave as their names say, well or badly. `options` are added to those of
 * `createServer`.
 * @param {Partial<import("snodo").ServerOptions>} [options]
 * @returns {import("snodo").Server}
 */
export function createFixture(options = {}) {
  return createServer({
    name: "fixture",
    version: "1.0.0",
    validator: jsonSchema(),
    tools: [...plainTools, ...hostileTools, ...failingTools, ...returningTools, ...countingTools()],
    ...options,
  });
}
