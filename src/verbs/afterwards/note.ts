import { openRecord } from "../../exam/record/index.ts";
import { scoreStored } from "../../exam/score/index.ts";
import { addNote, type Note } from "../../history/index.ts";
import { openScope, type Scope } from "../scope.ts";

export interface NoteOptions extends Omit<Scope, "paths"> {
  /** The question's id, or a part of its id or prompt that no other question has. */
  question: string;
  text?: string;
  /** Whether the verdict of Proctor or its judge is right. */
  verdict?: "right" | "wrong";
  /** Default: all targets of the run. */
  target?: string;
  /** A run's id, its folder or its record.jsonl. Default: the newest run. */
  run?: string;
}

export async function note({ question, text = "", verdict, target, run, ...scope }: NoteOptions): Promise<Note> {
  const { home } = await openScope(scope);
  const place = await openRecord(home, run);
  return addNote(place, await scoreStored(place), { question, text, verdict, target });
}
