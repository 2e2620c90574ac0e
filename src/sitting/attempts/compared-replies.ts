import type { GradingContext } from "../../graders/index.ts";
import type { Job, JobResult } from "../executor.ts";

/**
 * What was answered without the skill, for graders that compare. A case is asked so just before it is asked with its skill, so that the
 * other answer is there or under way; one that is under way is waited for.
 */
export class ComparedReplies {
  readonly #replies = new Map<string, Promise<GradingContext["baseline"]>>();

  note({ ask, target, run }: Job, result: Promise<Pick<JobResult, "transcript">>): void {
    if (ask.variant === undefined) return;
    const reply = result.then(
      ({ transcript }) =>
        transcript.outcome.status === "error"
          ? `it was not measured: ${transcript.outcome.error.message}`
          : { finalText: transcript.finalText },
      () => "it was not measured",
    );
    this.#replies.set(keyOf(target, ask.prompt, ask.skill, run), reply);
  }

  async to({ ask, target, run }: Job): Promise<GradingContext["baseline"]> {
    return ask.variant === undefined ? this.#replies.get(keyOf(target, ask.prompt, ask.skill, run)) : undefined;
  }
}

function keyOf(target: string, prompt: string, skill: string | undefined, run: number): string {
  return JSON.stringify([target, skill, prompt, run]);
}
