import { afterAll, beforeAll, expect, test } from "vitest";
import { differences, readExpected, runScenario, startFixture } from "./suite.mjs";

let fixture: Awaited<ReturnType<typeof startFixture>>;

beforeAll(async () => {
  fixture = await startFixture();
});

afterAll(async () => {
  await fixture.stop();
});

test.each(Object.entries(await readExpected()))(
  "gives exactly the expected checks in the official scenario %s",
  async (scenario, expected) => {
    const checks = await runScenario(scenario, fixture.url);

    expect(differences(checks, expected)).toEqual([]);
  },
);
