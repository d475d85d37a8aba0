import { setTimeout as delay } from "node:timers/promises";
import { type AnyTool, audio, content, embedded, image, RpcError, tool, ToolError } from "snodo";

const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const silence = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQIAAACAgA==";

const addressSchema = {
  $anchor: "addressDef",
  type: "object",
  properties: { street: { type: "string" }, city: { type: "string" } },
} as const;

/** The tools that the conformance suite calls by name. */
export const tools: readonly AnyTool[] = [
  tool({
    name: "test_simple_text",
    description: "Answers with one text block",
    call: () => "This is a simple text response for testing.",
  }),
  tool({
    name: "test_image_content",
    description: "Answers with one image",
    call: () => image(pixel, "image/png"),
  }),
  tool({
    name: "test_audio_content",
    description: "Answers with one sound",
    call: () => audio(silence, "audio/wav"),
  }),
  tool({
    name: "test_embedded_resource",
    description: "Answers with a resource inside the result",
    call: () =>
      embedded({
        uri: "test://embedded-resource",
        mimeType: "text/plain",
        text: "This is an embedded resource content.",
      }),
  }),
  tool({
    name: "test_multiple_content_types",
    description: "Answers with a text, an image and a resource",
    call: () =>
      content(
        "Multiple content types test:",
        image(pixel, "image/png"),
        embedded({
          uri: "test://mixed-content-resource",
          mimeType: "application/json",
          text: '{"test":"data","value":123}',
        }),
      ),
  }),
  tool({
    name: "test_error_handling",
    description: "Always fails",
    call: () => {
      throw new ToolError("This tool intentionally returns an error for testing");
    },
  }),
  tool({
    name: "test_tool_with_progress",
    description: "Reports progress three times",
    call: async (_args, ctx) => {
      for (const done of [0, 50, 100]) {
        ctx.progress(done, 100);
        await delay(50, undefined, { signal: ctx.signal });
      }
      return "Done";
    },
  }),
  tool({
    name: "test_x_mcp_header",
    description: "Echoes an argument that is mirrored in a header",
    input: {
      type: "object",
      properties: { region: { type: "string", "x-mcp-header": "Region" } },
    },
    call: ({ region }) => `Region: ${region ?? "none"}`,
  }),
  tool({
    name: "test_missing_capability",
    description: "Needs a client that can sample",
    call: (_args, ctx) => {
      if (!ctx.client.supports("sampling")) {
        throw RpcError.missingClientCapability({ sampling: {} });
      }
      return "The client can sample.";
    },
  }),
  tool({
    name: "test_streaming_elicitation",
    description: "Could ask the user and does not need to",
    call: () => "Nothing to ask",
  }),
  tool({
    name: "test_logging_tool",
    description: "Writes no log for clients that did not ask for one",
    call: () => "Nothing was logged",
  }),
  tool({
    name: "json_schema_2020_12_tool",
    description: "Has an input schema with keywords of JSON Schema 2020-12",
    input: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      $defs: { address: addressSchema },
      properties: {
        name: { type: "string" },
        address: { $ref: "#/$defs/address" },
        contactMethod: { type: "string", enum: ["phone", "email"] },
        phone: { type: "string" },
        email: { type: "string" },
      },
      allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
      if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
      then: { required: ["phone"] },
      else: { required: ["email"] },
      additionalProperties: false,
    },
    call: () => "Accepted",
  }),
];
