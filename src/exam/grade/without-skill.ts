import { basename } from "node:path";
import type { Library } from "../../model/index.ts";
import { countedActivations, type Transcript, toolKind } from "../../model/index.ts";
import type { Job } from "./executor.ts";

/** A trial without the skill in which it was shown or loaded all the same has measured nothing. */
export function withoutSkill(transcript: Transcript, { ask }: Job, library: Library): Transcript {
  const { variant, skill } = ask;
  if (
    variant === undefined ||
    variant.folder !== undefined ||
    skill === undefined ||
    transcript.outcome.status === "error"
  )
    return transcript;
  const listed = transcript.listing?.some((entry) => entry.skill === skill && entry.shown !== "absent") === true;
  const loaded =
    countedActivations(transcript.activations).some((activation) => activation.skill === skill) ||
    transcript.calls.some(
      ({ tool, input, ok }) => toolKind(tool) === "skill" && ok === true && namesSkill(input, namesOf(skill, library)),
    );
  if (!listed && !loaded) return transcript;
  const message = `${skill} was ${loaded ? "loaded" : "listed"} in a trial that was supposed to go without it: there is nothing to compare with`;
  return {
    ...transcript,
    outcome: { status: "error", error: { reason: "invalid_cell", message, retryable: false } },
    how: "error",
  };
}

/** What hosts may call it. */
function namesOf(id: string, { skills }: Library): string[] {
  const skill = skills.find((one) => one.id === id);
  return skill === undefined ? [id] : [id, skill.name, basename(skill.dir)];
}

function namesSkill(input: unknown, names: readonly string[]): boolean {
  const values = typeof input === "object" && input !== null ? Object.values(input) : [];
  return values.some((value) => typeof value === "string" && names.includes(value.replace(/^\//, "")));
}
