import { afterEach, beforeEach, expect, test } from "vitest";
import { renderTerminal } from "../../src/reports/terminal.ts";
import { World } from "../world.ts";

let world: World;
beforeEach(() => {
  world = new World();
  world.skill("letters");
  world.write("skills/letters/evals/evals.json", {
    evals: ["helps", "both"].map((id) => ({
      id,
      name: `Case ${id}`,
      prompt: `Please ${id}`,
      assertions: [{ type: "contains", value: "good" }],
    })),
  });
});
afterEach(() => world.remove());

test("the report gives the difference with its interval, what each case comes to, and what the skill costs", async () => {
  world.script({
    answers: [
      { query: "Please helps", skills: ["letters"], text: "good", cost: 0.2, without_skill: { text: "bad", cost: 0.1 } },
      { query: "Please both", text: "good", cost: 0.2, without_skill: { text: "good", cost: 0.1 } },
    ],
  });
  const { scores } = await world.sit({ baseline: "without", runs: 2 });
  const text = renderTerminal(scores, { width: 140 });
  expect(text).toMatch(/lift, compared without the skill: \+0\.50 \[[^\]]+\] over 2 cases/);
  expect(text).toContain("$0.2000 a trial against $0.1000 (2.0 times)");
  expect(text).toMatch(/Case helps\s+\+1\.00 \[.*\]\s+2\/2 against 0\/2\s+helps/);
  expect(text).toMatch(/Case both\s+.*2\/2 against 2\/2\s+passes both ways: it measures nothing; the skill was never loaded/);
});

test("a case that fails is called by its name", async () => {
  world.script({ default: { text: "bad" } });
  const { scores } = await world.sit({ runs: 1 });
  const text = renderTerminal(scores, { width: 120 });
  expect(text).toMatch(/✗ letters\s+should pass its checks\s+"Case helps"\n/);
});
