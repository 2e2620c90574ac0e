import { expect, test } from "vitest";
import type { TrialEvent } from "../../../../src/model/index.ts";
import { allEvents } from "../../../../src/targets/agents/trial/all-events.ts";

const read: TrialEvent = { type: "activation", skill: "alpha", turn: 3, evidence: "read" };
const call: TrialEvent = {
  type: "call",
  turn: 1,
  id: "1",
  tool: "exec_command",
  input: { cmd: "for f in */SKILL.md; do cat $f; done" },
};

test("what decided a trial is not lost with the output that the CLI had no time to write down", () => {
  const all = allEvents([call, read], { events: [call] }, { stopped: "decided" });
  expect(all).toEqual([call, { ...read, turn: 1 }]);
});

test("what both tell is told once, as the session file has it", () => {
  const exact = { ...read, turn: 1 };
  expect(allEvents([call, read], { events: [call, exact] }, { stopped: "decided" })).toEqual([call, exact]);
});

test("of a CLI that ended by itself the session file has the last word", () => {
  expect(allEvents([call, read], { events: [call] }, {})).toEqual([call]);
});
