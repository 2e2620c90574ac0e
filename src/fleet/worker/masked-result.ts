import type { Mask } from "../../base/index.ts";
import type { JobResult } from "../../exam/grade/index.ts";
import { isClean, maskCheck, maskTranscript } from "../../exam/record/index.ts";

/** The result with the secrets of this machine masked, before it leaves it. */
export function masked(result: JobResult, mask: Mask): JobResult {
  const { transcript, checks, raw, judgements } = result;
  // Nearly always there is none.
  if (isClean(JSON.stringify(result), transcript, mask)) return result;
  return {
    ...result,
    transcript: maskTranscript(transcript, mask),
    checks: checks.map((check) => maskCheck(check, mask)),
    raw: raw === undefined ? undefined : mask(raw),
    judgements: judgements?.map(({ ask, answer, ...said }) => ({
      ...said,
      ask: { ...ask, prompt: mask(ask.prompt) },
      answer: { ...answer, transcript: maskTranscript(answer.transcript, mask) },
    })),
  };
}
