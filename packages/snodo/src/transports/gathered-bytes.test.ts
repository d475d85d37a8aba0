import * as fc from "fast-check";
import { expect, test } from "vitest";
import { GatheredBytes } from "./gathered-bytes.ts";

test("gives the bytes of all parts in order, and then begins anew", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 50 })), (parts) => {
      const gathered = new GatheredBytes();
      const whole = parts.flatMap((part) => [...part]);
      for (let round = 0; round < 2; round += 1) {
        for (const part of parts) gathered.add(part);
        expect(gathered.length).toBe(whole.length);
        expect([...gathered.take()]).toEqual(whole);
      }
    }),
  );
});

test("does not change the parts that it was given", () => {
  const first = new Uint8Array([1, 2]);
  const gathered = new GatheredBytes();
  gathered.add(first.subarray(0, 1));
  gathered.add(new Uint8Array([9]));
  expect([...gathered.take()]).toEqual([1, 9]);
  expect([...first]).toEqual([1, 2]);
});
