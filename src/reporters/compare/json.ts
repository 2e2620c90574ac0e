import { winnerOf } from "../../exam/score/index.ts";
import type { ComparedRun, ComparedRuns } from "../../history/index.ts";
import type { QuestionScore } from "../../model/index.ts";
import { rounded } from "../text/numbers.ts";

/** For programs: a stable, versioned document. Within a version, keys are added but never changed or removed. */
export function compareJson(compared: ComparedRuns): string {
  const { before, now, differences, targets, only, gates, exitCode } = compared;
  const report = {
    version: 1,
    exitCode,
    before: sideOf(before),
    now: sideOf(now),
    differences,
    targets: targets.map(({ comparison, changes, causes, regressions, visible }) => ({
      ...comparison,
      improved: comparison.improved.map(shortened),
      worsened: comparison.worsened.map(shortened),
      unsure: {
        lost: comparison.unsure.lost.map(shortened),
        pass: comparison.unsure.pass.map(shortened),
        fail: comparison.unsure.fail.map(shortened),
      },
      lost: comparison.lost.map(shortened),
      unaskable: comparison.unaskable.map(shortened),
      only: { before: comparison.only.before.map(shortened), now: comparison.only.now.map(shortened) },
      newThefts: comparison.newThefts.map(({ thief, question }) => ({ thief, question: question.id })),
      design: comparison.design && { ...comparison.design, asks: comparison.design.asks.length },
      changes,
      causes,
      regressions,
      visible,
    })),
    only,
    gates: gates.map((result) => ({ ...result, gate: result.gate.text })),
  };
  return `${JSON.stringify(report, rounded, 2)}\n`;
}

function sideOf({ record, scores, revision, leftOut }: ComparedRun) {
  const { startedAt, library, suite, git, how, damage } = scores.run;
  return {
    ...{
      run: record.run,
      revision,
      startedAt,
      library: library.fingerprint,
      skills: library.skills,
      suite: suite.fingerprint,
    },
    ...{ git, how, damage: damage?.length, leftOut },
  };
}

function shortened(question: QuestionScore) {
  const { id, name, skill, prompt, verdict, hits, measured, source, why } = question;
  return { id, name, skill, prompt, verdict, hits, measured, won: winnerOf(question), source, why };
}
