import { expect, test } from "vitest";
import type { TrialEvent } from "../../../src/model/index.ts";
import { CanaryCosts } from "../../../src/targets/agents/canary.ts";

const end = (costUsd?: number): TrialEvent[] => [
  {
    type: "end",
    how: "completed",
    usage: { inputTokens: 10, outputTokens: 1 },
    ...(costUsd !== undefined && { costUsd }),
  },
];

test("the first trial carries what canary and control cost, and the next one only its own", async () => {
  const owed = new CanaryCosts();
  owed.note(end(0.01));
  owed.note(end(0.02));
  expect(await all(owed.settled(end(0.5)))).toEqual([
    { type: "end", how: "completed", usage: { inputTokens: 30, outputTokens: 3 }, costUsd: 0.53 },
  ]);
  expect(await all(owed.settled(end(0.5)))).toMatchObject([{ costUsd: 0.5, usage: { inputTokens: 10 } }]);
});

test("a canary of unknown cost makes the sum unknown, not smaller", async () => {
  const owed = new CanaryCosts();
  owed.note(end());
  const [settled] = await all(owed.settled(end(0.5)));
  expect(settled).toMatchObject({ type: "end", costUsd: undefined });
});

async function all(events: AsyncIterable<TrialEvent>): Promise<TrialEvent[]> {
  const seen: TrialEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}
