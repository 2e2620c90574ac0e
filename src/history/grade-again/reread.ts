import { decided } from "../../graders/index.ts";
import {
  type Activation,
  asksBack,
  foldEvents,
  type SkillInvocation,
  type Transcript,
  type TrialLine,
} from "../../model/index.ts";
import { loadAgents } from "../../targets/index.ts";
import type { StoredExam } from "./exam.ts";

/** Parses the host's raw output again; undefined, with a note, if that is not possible. */
export async function rereadOf(
  line: TrialLine,
  raw: string | undefined,
  exam: StoredExam,
): Promise<Transcript | undefined> {
  if (!exam.agents.has(line.target)) {
    exam.notes.add(`${line.target} is no agent and has no raw output`);
    return undefined;
  }
  const note = (why: string) => {
    const prompt = exam.questions.get(line.ask)?.[0]?.prompt ?? line.ask;
    exam.notes.add(`${line.target} run ${line.run} of ${JSON.stringify(prompt.slice(0, 60))}: ${why}`);
    return undefined;
  };
  if (raw === undefined)
    return note(line.cached ? "answered from the cache, without raw output" : "its raw output is not in the record");
  const { rereadTrial } = await loadAgents();
  const enough = (activations: readonly Activation[]) =>
    (exam.questions.get(line.ask) ?? []).every(
      ({ expect }) => expect !== undefined && decided(expect as SkillInvocation, activations, exam.evidence),
    );
  const reread = await rereadTrial(raw, { skills: exam.skills, decided: enough });
  if (reread.status === "unread") return note(reread.why);
  return foldEvents(reread.events, { skills: new Set([...exam.library, ...reread.skills]) });
}

/** Keeps cost and duration; everything observed is new. */
export function rereadLine(
  { error: _error, askedBack: _asked, ...line }: TrialLine,
  transcript: Transcript,
): TrialLine {
  const { outcome, activations, how, turns, usage, finalText } = transcript;
  const error = outcome.status === "error" ? { error: outcome.error } : {};
  const attempts = line.attempts.map((attempt, index) => {
    if (index < line.attempts.length - 1) return attempt;
    const { error: _before, ...rest } = attempt;
    return { ...rest, ...error };
  });
  return {
    ...line,
    ...error,
    how,
    turns,
    activations,
    attempts,
    usage: usage ?? line.usage,
    askedBack: activations.length === 0 && finalText !== "" && asksBack(finalText) ? true : undefined,
  };
}
