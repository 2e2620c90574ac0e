import { expect, test } from "vitest";
import { renderReport, renderTerminal } from "../../src/reporters/index.ts";
import { fired, header, positive, score, trial } from "../score/build.ts";

const questions = ["1", "2", "3"].map((id) => positive(id, "a"));

test("memory and CPU time of real agents are in the reports; trials that measured none are not 0", () => {
  const scores = score([
    header({ skills: ["a"] }),
    ...questions,
    trial(questions[0]!, 1, fired("a"), { resources: { peakMemoryBytes: 180e6, cpuMs: 400 } }),
    trial(questions[1]!, 1, fired("a"), { resources: { peakMemoryBytes: 320e6, cpuMs: 600 } }),
    trial(questions[2]!, 1, fired("a")),
  ]);
  expect(scores.targets[0]!.trials).toMatchObject({ peakMemoryBytes: 320e6, perTrial: { cpuMs: 500 } });
  expect(renderTerminal(scores, { width: 120 })).toContain(", up to 320 MB per trial");
  const json = JSON.parse(renderReport("json", scores)) as { targets: { trials: unknown }[] };
  expect(json.targets[0]!.trials).toMatchObject({ peakMemoryBytes: 320e6, perTrial: { cpuMs: 500 } });
});

test("where nothing was measured, the json report says null and the screen says nothing", () => {
  const scores = score([header({ skills: ["a"] }), questions[0]!, trial(questions[0]!, 1, fired("a"))]);
  expect(scores.targets[0]!.trials).toMatchObject({ peakMemoryBytes: null, perTrial: { cpuMs: null } });
  expect(renderTerminal(scores, { width: 120 })).not.toContain("a trial");
});
