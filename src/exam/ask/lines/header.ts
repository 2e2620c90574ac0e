import { fingerprint, gitState, relativePosix, VERSION } from "../../../base/index.ts";
import { examFingerprint, recordOptions } from "../../../base/options/index.ts";
import type { Exam } from "../../plan/index.ts";
import type { CachedSkill, HeaderStart } from "../../record/index.ts";

/** No host shows more of one. */
const MOST_OF_DESCRIPTION = 2_000;

/** Who is asked what with which options: the first line of the record, and what a resumed run must share. */
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
      ...(target.note !== undefined && { note: target.note }),
      identity,
      fingerprint: fingerprint(identity),
    })),
    options: { ...options, ...pathsOf(exam), said: exam.said },
    optionsFingerprint: examFingerprint(options),
    ...(git && { git }),
    ...(exam.partial.length > 0 && { partial: exam.partial }),
    ...(exam.options.shard && { shard: exam.options.shard }),
  };
}

/** Relative to the library's root, so that a record can be gone on with in another checkout. */
function pathsOf({ paths, library }: Exam): { paths?: string[] } {
  return paths === undefined ? {} : { paths: paths.map((path) => relativePosix(library.root, path)) };
}
