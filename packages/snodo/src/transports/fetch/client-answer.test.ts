import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ResponseMessage } from "../../jsonrpc/message.ts";
import { ClientAnswer } from "./client-answer.ts";

function read(
  contentType: string,
  chunks: readonly Uint8Array[],
): { readonly response: ResponseMessage; readonly notified: readonly unknown[] } {
  const notified: unknown[] = [];
  const answer = new ClientAnswer(
    { status: 200, contentType, location: undefined },
    {
      id: 7,
      maxBytes: 10_000,
      events: { notify: (_method, params) => notified.push(params), warn: () => {} },
    },
  );
  for (const chunk of chunks) {
    const response = answer.push(chunk);
    if (response !== undefined) return { response, notified };
  }
  return { response: answer.end(), notified };
}

function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...new Set(places.map((place) => place % bytes.length))].toSorted((a, b) => a - b);
  return [...ends, bytes.length].map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

const response = '{"jsonrpc":"2.0","id":7,"result":{"text":"é—世界🙂\u2028"}}';
const notification = '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}';
const cuts = fc.array(fc.nat(), { maxLength: 8 });

test("reads events however the bytes are cut and whatever ends their lines", () => {
  fc.assert(
    fc.property(cuts, fc.constantFrom("\n", "\r\n", "\r"), (places, end) => {
      const events = [
        ":",
        "",
        `data: ${notification}`,
        "",
        "id: 1",
        `data: ${response}`,
        "",
        "",
        "",
      ];
      const bytes = new TextEncoder().encode(events.join(end));

      const answer = read("text/event-stream", cut(bytes, places));

      expect(answer.response.result).toEqual({ text: "é—世界🙂\u2028" });
      expect(answer.notified).toEqual([{ progress: 1 }]);
    }),
  );
});

test("reads JSON however the bytes are cut", () => {
  fc.assert(
    fc.property(cuts, (places) => {
      const bytes = new TextEncoder().encode(response);

      const answer = read("application/json; charset=utf-8", cut(bytes, places));

      expect(answer.response.result).toEqual({ text: "é—世界🙂\u2028" });
    }),
  );
});
