import type { Model } from "../data/model.ts";
import { isLost } from "../data/source.ts";
import { count, number, oneLine } from "../parts/words.ts";

/** Warnings first if a run is incomplete or unreliable. */
export function StateNotes({ model }: { model: Model }) {
  const notes = notesOf(model);
  if (notes.length === 0) return null;
  return (
    <ul class="notes" aria-label="About this run">
      {notes.map(({ kind, text }) => (
        <li key={text} class={kind}>
          <span>{text}</span>
        </li>
      ))}
    </ul>
  );
}

interface Note {
  kind: "bad" | "note";
  text: string;
}

function notesOf({ exam, data }: Model): Note[] {
  if (exam === null) return [];
  const { run, plan, targets, transcripts } = exam;
  const notes: Note[] = [];
  const bad = (text: string) => notes.push({ kind: "bad", text });
  const note = (text: string) => notes.push({ kind: "note", text });
  if (run.damage !== undefined)
    bad(`The record is damaged (${oneLine(run.damage[0] ?? "")}). What is intact is shown; it is not a result.`);
  if (isLost.value) bad("proctor view has ended, or cannot be reached: this is what it showed last.");
  if (run.how === "unfinished")
    run.goesOn
      ? note("This run is in progress: this is what its record holds so far, not a result yet.")
      : bad("This run has no end: it was killed, or its record was cut. This is what it holds, not a result.");
  if (run.how === "interrupted") bad("This run was interrupted: this is what had been measured by then.");
  if (run.how === "stopped") note("This run was stopped before everything was asked.");
  if (run.partial !== undefined)
    note(
      `A part of the questions (${oneLine(run.partial.join(", "))}): these are not the scores of the whole library.`,
    );
  if (run.missingShards !== undefined)
    bad(`Shard ${run.missingShards.join(", ")} is missing: its questions have no verdict here.`);
  if (run.shard !== undefined)
    note(`Shard ${run.shard.index} of ${run.shard.count}: proctor merge puts the shards together.`);
  for (const target of targets) {
    const [worst] = Object.entries(target.trials.errors).sort((a, b) => b[1].trials - a[1].trials);
    if (target.total.coverage.planned > 0 && target.total.coverage.verdicts === 0 && worst !== undefined)
      bad(
        `${oneLine(target.id)} is not measured: ${data.words.errors[worst[0]] ?? worst[0]} (${oneLine(worst[1].message)}). An error is not an answer: it counts neither as right nor as wrong.`,
      );
  }
  if (run.changed !== undefined && run.changed.length > 0)
    note(
      `Edited while it ran: ${oneLine(run.changed.slice(0, 5).join(", "))}. These scores are for what was there at the start.`,
    );
  if (plan.drafts > 0)
    note(
      `${plan.drafts} of ${count(plan.questions, "question")} ${plan.drafts === 1 ? "is a draft" : "are drafts"} that nobody has edited.`,
    );
  const silent = plan.skillsWithoutQuestions;
  if (silent.length > 0 && run.partial === undefined && run.shard === undefined)
    note(
      `${count(silent.length, "skill")} without a question, so nothing is known about ${silent.length === 1 ? "it" : "them"}: ${oneLine(silent.slice(0, 6).join(", "))}${silent.length > 6 ? ` and ${silent.length - 6} more` : ""}.`,
    );
  if (transcripts.here < transcripts.kept)
    note(
      `The transcripts of ${number(transcripts.here)} of ${count(transcripts.kept, "trial")} are in this file, those that went wrong first. proctor view ${oneLine(run.id)} shows all.`,
    );
  return notes.sort((a, b) => Number(a.kind === "note") - Number(b.kind === "note"));
}
