import { fingerprint, gitState, relativePosix, VERSION } from "../../../base/index.ts";
import { examFingerprint, recordOptions } from "../../../base/options/index.ts";
import type { FooterLine } from "../../../model/index.ts";
import type { Exam } from "../../plan/index.ts";
import type { CachedSkill, HeaderStart } from "../../record/index.ts";
import type { Counters } from "../limits/counters.ts";
import type { ScheduleResult } from "../schedule/schedule.ts";

/** No host shows a longer description. */
const MOST_OF_DESCRIPTION = 2_000;

/** The first line of the record. A resumed run must have the same. */
export async function headerOf(exam: Exam, staged: readonly CachedSkill[]): Promise<HeaderStart> {
  const { library, plan, targets } = exam;
  const root = exam.recorded?.root ?? library.root;
  const { shard: _shard, ...options } = recordOptions({ ...exam.options, ownTargets: exam.own || undefined }, root);
  const git = await gitState(library.root);
  // `!`: `staged` has an entry for each skill of the library, in the same order.
  const skills = library.skills.map(({ id, modelInvocable, card }, index) => ({
    id,
    fingerprint: staged[index]!.files,
    modelInvocable,
    description: card.description.slice(0, MOST_OF_DESCRIPTION),
  }));
  return {
    proctor: VERSION,
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
    startedAt: new Date().toISOString(),
    library: { name: library.name, root, fingerprint: library.fingerprint, skills },
    suite: plan.suite,
    targets: targets.map(({ target, identity }) => ({
      id: target.id,
      kind: target.kind,
      predicted: target.predicted,
      note: target.note,
      identity,
      fingerprint: fingerprint(identity),
    })),
    options: { ...options, ...pathsOf(exam), said: exam.said },
    optionsFingerprint: examFingerprint(options),
    git,
    partial: exam.partial.length > 0 ? exam.partial : undefined,
    shard: exam.options.shard,
  };
}

/** Paths are relative to the library's root, so that the run can be resumed in another checkout. */
function pathsOf({ paths, library }: Exam): { paths?: string[] } {
  return paths === undefined ? {} : { paths: paths.map((path) => relativePosix(library.root, path)) };
}

interface ExamEnd {
  exam: Exam;
  counters: Counters;
  result: ScheduleResult;
  changed: string[];
}

export function footerOf({ exam, counters, result, changed }: ExamEnd): FooterLine {
  const { standings, progress } = counters;
  const { interrupted, unasked } = result;
  const notAsked: Record<string, number> = {};
  for (const ask of exam.plan.asks) {
    if (standings.needed(ask) === 0) continue;
    const reason = unasked.get(ask.target) ?? "interrupted";
    notAsked[reason] = (notAsked[reason] ?? 0) + ask.runs - standings.done(ask);
  }
  const how = interrupted ? "interrupted" : unasked.size > 0 ? "stopped" : "complete";
  const footer: FooterLine = {
    type: "footer",
    endedAt: new Date().toISOString(),
    how,
    notAsked,
    saved: progress.saved,
  };
  return changed.length === 0 ? footer : { ...footer, changed };
}
