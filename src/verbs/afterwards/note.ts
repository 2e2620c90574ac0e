import { openRecord } from "../../exam/record/index.ts";
import { scoreStored } from "../../exam/score/index.ts";
import { addNote, type Note } from "../../history/index.ts";
import { openScope, type Scope } from "../scope.ts";

export interface NoteOptions extends Omit<Scope, "paths"> {
  /** The question: its id, or a part of that or of its prompt that no other has. */
  question: string;
  text?: string;
  /** Is what Proctor or its judge said of it right? */
  verdict?: "right" | "wrong";
  /** On this target; on all of the run's unless said. */
  target?: string;
  /** A run's id, its folder or its record.jsonl; the newest unless said. */
  run?: string;
}

/** `proctor note` as a function: keeps what a person thinks of a verdict, beside the record. */
export async function note({ question, text = "", verdict, target, run, ...scope }: NoteOptions): Promise<Note> {
  const { home } = await openScope(scope);
  const place = await openRecord(home, run);
  return addNote(place, await scoreStored(place), { question, text, verdict, target });
}
