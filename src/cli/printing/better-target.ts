import type { RecordPlace } from "../../exam/record/index.ts";
import type { Scores } from "../../model/index.ts";
import type { RenderOptions } from "../../reporters/index.ts";

const PATIENCE_MS = 2_500;

/**
 * A target on this machine that knows more than this run's predictions; undefined if it was already asked or the search
 * takes too long.
 */
export async function betterTarget({ targets, run }: Scores, record: RecordPlace): Promise<RenderOptions["better"]> {
  if (run.how !== "complete" || targets.length === 0 || !targets.every(({ kind }) => kind === "embedded"))
    return undefined;
  const asked = Math.max(...targets.map(({ total }) => total.coverage.planned));
  return betterFor({ questions: asked, runs: await runsOf(record), skills: run.library.skills });
}

async function runsOf(record: RecordPlace): Promise<number | undefined> {
  const { readHeader } = await import("../../exam/record/index.ts");
  const { runs } = (await readHeader(record)).options as { runs?: { flag?: number; triggers?: number } };
  return runs?.flag ?? runs?.triggers;
}

export async function betterFor(asked: {
  questions: number;
  runs?: number | undefined;
  skills?: number;
}): Promise<RenderOptions["better"]> {
  const { betterExaminees } = await import("../../verbs/index.ts");
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), PATIENCE_MS);
  });
  try {
    const found = await Promise.race([betterExaminees(asked), enough]);
    return found === undefined ? undefined : (found[0] ?? "nobody");
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
