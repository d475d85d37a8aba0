import { expect, test } from "vitest";
import { z } from "zod";

import { compileTool, tool } from "./define-tool.ts";
import { kit } from "./kit.ts";

test("builds the same tools and gives middleware as it is", () => {
  const options = { name: "who", input: z.object({ a: z.string() }), call: () => "me" } as const;
  const { tool: toolWithUser, middleware } = kit<{ user: string }>();
  const made = toolWithUser(options);
  expect(compileTool(made).definition).toEqual(compileTool(tool(options)).definition);
  const layer = middleware((ctx, next) => (ctx.state.user === "" ? undefined : next()));
  expect(toolWithUser({ name: "t", use: [layer], call: () => "x" }).use).toEqual([layer]);
});
