import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createMask } from "../../src/base/index.ts";
import { agentDecisions } from "../../src/exam/plan/gather/agent-decisions.ts";
import { calibrateTargets } from "../../src/exam/plan/gather/calibrate.ts";
import { createRecord, type HeaderStart } from "../../src/exam/record/index.ts";
import type { TrialLine } from "../../src/model/index.ts";
import { loadEmbedded } from "../../src/targets/index.ts";
import { claude, embedded, failedTrial, fired, footer, header, negative, positive, trial } from "../score/build.ts";
import { libraryOf, shop } from "../targets/embedded/shop.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "decisions-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const library = libraryOf(shop);
const agent = { ...claude, kind: "agent" };
const [wanted, unwanted] = [
  positive("one", "order-status", { ask: "a", prompt: "where is it" }),
  negative("two", "gift-cards", { ask: "a", prompt: "where is it" }),
];

async function keep(
  trials: TrialLine[],
  fingerprint = library.fingerprint,
  questions = [wanted, unwanted],
): Promise<void> {
  const { type: _type, version: _version, run: _run, ...start } = header({ targets: [agent, embedded] });
  const about: HeaderStart = { ...start, library: { ...start.library, name: library.name, fingerprint } };
  const record = await createRecord(home, about, { mask: createMask([]) });
  for (const question of questions) await record.question(question);
  for (const line of trials) await record.trial(line, {});
  await record.close(footer);
}

/** What a report says of the calibrated target. */
async function note(): Promise<string | undefined> {
  const { embeddedTarget } = await loadEmbedded();
  const target = embeddedTarget("");
  const [planned] = await calibrateTargets([{ target, identity: await target.identify() }], library, home);
  return planned!.target.note;
}

const decisions = () => agentDecisions(home, library, ({ prompt }) => prompt);

test("what an agent did in most of its trials counts, for every skill that a question is about; predictions and errors do not", async () => {
  const both = [wanted, unwanted];
  await keep([
    trial(both, 1, fired("order-status")),
    trial(both, 2, fired("order-status", "gift-cards")),
    trial(both, 3, []),
    failedTrial(wanted, 4),
    trial(both, 1, fired("gift-cards"), { target: embedded.id }),
  ]);
  expect(await decisions()).toEqual({
    agent: "claude:haiku",
    decisions: [
      { query: "where is it", skill: "order-status", fired: true },
      { query: "where is it", skill: "gift-cards", fired: false },
    ],
    triggers: [
      { query: "where is it", expect: wanted.expect, fails: false },
      { query: "where is it", expect: unwanted.expect, fails: false },
    ],
    elsewhere: 0,
  });
});

test("trials on other cards say nothing about these", async () => {
  await keep([trial(wanted, 1, fired("order-status"))], "another");
  expect(await decisions()).toEqual({ decisions: [], triggers: [], elsewhere: 1 });
  expect(await note()).toMatch(
    /records here hold none; 1 trial of agents there is on other cards; proctor run -t claude:haiku, for example, makes some$/,
  );
});

test("--calibrate says how often the agent failed what the embedded target fails and passes, with n and interval", async () => {
  // The router is sure of the first two, and cannot tell of the third, which rests on one word.
  const asked = [
    "track it by its tracking number",
    "when is my order delivered? I have the tracking number",
    "where is my order",
  ].map((prompt, at) => positive(`q${at}`, "order-status", { ask: `q${at}`, prompt }));
  const stolen = negative("q3", "order-status", { ask: "q3", prompt: "track this order by its tracking number" });
  await keep(
    [
      ...asked.map((question, at) => trial(question, 1, at === 0 ? [] : fired("order-status"))),
      trial(stolen, 1, fired("order-status")),
    ],
    undefined,
    [...asked, stolen],
  );
  expect(await note()).toMatch(
    /; of the questions in its trials claude:haiku failed 1 of the 1 \[\.\d\d–1\.00\] that embedded fails and 1 of the 2 \[\.0\d–\.\d\d\] that embedded passes$/,
  );
});
