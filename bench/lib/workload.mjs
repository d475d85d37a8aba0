// What every contender serves, what every request looks like and what a right answer is.

/** The revision that modern contenders speak; the others name their own. */
export const modern = "2026-07-28";

/** How the benchmark introduces itself, as client and as server. */
export const implementation = { name: "bench", version: "1.0.0" };

/** The arguments of each `echo` call. */
export const echoArguments = { text: "Three parcels left the depot at noon, two came back." };

/** The requests that are measured. */
export const requests = {
  echo: { method: "tools/call", params: { name: "echo", arguments: echoArguments } },
  list: { method: "tools/list", params: {} },
};

const searchDescription = (index) => `Searches shelf ${index} and returns the records that match.`;
const object = (properties, required) => ({ type: "object", properties, required });
const searchName = (index) => `search_${String(index).padStart(4, "0")}`;

/**
 * The tools of a server with `count` tools: `echo`, then searches. Each has `name`, `description`,
 * `schema` (JSON Schema) and `call`, which returns the text of the answer.
 */
export function jsonTools(count) {
  const echo = object({ text: { type: "string", description: "Text to return" } }, ["text"]);
  const search = object(
    {
      query: { type: "string", description: "What to look for" },
      limit: { type: "integer", minimum: 1, maximum: 100, description: "How many records" },
      mode: { type: "string", enum: ["exact", "prefix", "fuzzy"], description: "How to match" },
    },
    ["query", "mode"],
  );
  return toolset(count, echo, () => search);
}

/** The same tools with zod schemas; `z` is the contender's zod. */
export function zodTools(z, count) {
  const echo = z.object({ text: z.string().describe("Text to return") });
  return toolset(count, echo, () =>
    z.object({
      query: z.string().describe("What to look for"),
      limit: z.number().int().min(1).max(100).optional().describe("How many records"),
      mode: z.enum(["exact", "prefix", "fuzzy"]).describe("How to match"),
    }),
  );
}

function toolset(count, echoSchema, searchSchema) {
  const searches = Array.from({ length: count - 1 }, (_, index) => ({
    name: searchName(index + 1),
    description: searchDescription(index + 1),
    schema: searchSchema(),
    call: ({ query }) => query,
  }));
  const description = "Returns the given text unchanged.";
  return [{ name: "echo", description, schema: echoSchema, call: ({ text }) => text }, ...searches];
}

/** The JSON-RPC message of one of `requests` in `revision`. */
export function message({ method, params }, revision, id = 1) {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": revision,
    "io.modelcontextprotocol/clientInfo": implementation,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const sent = revision === modern ? { ...params, _meta: meta } : params;
  return { jsonrpc: "2.0", id, method, params: sent };
}

/** The HTTP headers that go with `message`. */
export function headers({ method, params }, revision) {
  const always = {
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    "MCP-Protocol-Version": revision,
  };
  if (revision !== modern) return always;
  const name = params.name === undefined ? {} : { "Mcp-Name": params.name };
  return { ...always, "Mcp-Method": method, ...name };
}

/** The two messages that open a connection in a revision before `modern`. */
export function handshake(revision) {
  const params = { protocolVersion: revision, capabilities: {}, clientInfo: implementation };
  return {
    initialize: { jsonrpc: "2.0", id: 0, method: "initialize", params },
    initialized: { jsonrpc: "2.0", method: "notifications/initialized" },
  };
}

/** The JSON-RPC message in an HTTP answer, plain JSON or the last event of a stream. */
export function parseBody(contentType, body) {
  if (!contentType?.includes("text/event-stream")) return JSON.parse(body);
  const data = body.split("\n").filter((line) => line.startsWith("data:"));
  return JSON.parse(data.at(-1).slice("data:".length));
}

/** Throws unless `answer` is the right answer to `request` of a server with `tools` tools. */
export function checkAnswer(request, tools, answer) {
  const { result } = answer;
  const isRight =
    request === requests.list
      ? result?.tools?.length === tools &&
        result.tools.find(({ name }) => name === "echo")?.inputSchema.properties.text !== undefined
      : result?.content?.[0]?.text === echoArguments.text && !result.isError;
  if (!isRight) throw new Error(`wrong answer: ${JSON.stringify(answer).slice(0, 200)}`);
}
