import { relativePosix, VERSION } from "../../base/index.ts";
import { pairAdvice } from "./advice.ts";
import type { CollidingLibrary, FoundCollisions, TakenQuestion } from "./found.ts";

/** For programs: a stable, versioned document. Within a version, keys are added but never changed or removed. */
export function collisionsJson({ target, note, cwd, libraries }: FoundCollisions): string {
  const document = {
    version: 1,
    proctor: VERSION,
    target,
    predicted: true,
    note,
    libraries: libraries.map((library) => entry(library, cwd)),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function entry(
  { name, skills, fingerprint, skill, pairs, pairsLeftOff, broad, vague, common, positives, taken }: CollidingLibrary,
  cwd: string,
) {
  return {
    library: { name, skills: skills.length, fingerprint },
    skill,
    pairs: pairs.map((pair) => ({ ...pair, advice: pairAdvice(pair) })),
    pairs_left_off: pairsLeftOff,
    broad: broad.map(({ skill: id, takesFrom }) => ({ skill: id, takes_from: takesFrom })),
    vague,
    common: common.map(({ phrase, texts }) => ({ phrase, skills: texts })),
    suites: { positives, taken: taken.map((one) => question(one, cwd)) },
  };
}

function question(
  { positive: { query, expected, source }, by, score, expectedScore, wins }: TakenQuestion,
  cwd: string,
) {
  return {
    query,
    expected,
    by,
    score,
    expected_score: expectedScore,
    wins,
    file: relativePosix(cwd, source.file),
    line: source.line,
  };
}
