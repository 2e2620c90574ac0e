import { createHash } from "node:crypto";
import { feedFile, fingerprint, sha256 } from "../../base/index.ts";
import type { Ask, Case, Library, Question, QuestionFile } from "../../model/index.ts";
import { defined } from "./question.ts";
import { renderTemplate } from "./template.ts";

/** What a target is asked for this question. `about` narrows an ask to one skill, as judges are asked. */
export const makeAsk = Object.assign(
  (question: Question, library: Library): Ask => {
    const { kind, files, messages, limits } = question;
    const prompt = kind === "trigger" ? question.query : promptOf(question);
    // A trigger's ask has no skill, so that a prompt that is a positive of one skill and a negative of another is asked
    // once.
    const ofCase = kind === "case" ? { skill: question.skill, ...conversation(question) } : {};
    const rest = defined({ kind, prompt, files, messages, limits, ...ofCase });
    return { key: askKey(rest), library: library.fingerprint, ...rest };
  },
  {
    compared: (ask: Ask, variant: NonNullable<Ask["variant"]>): Ask => ({
      ...ask,
      variant,
      key: askKey({ ...ask, variant }),
    }),
    about: (ask: Ask, skill: string): Ask => ({ ...ask, skill, key: askKey({ ...ask, skill }) }),
    withFiles: (ask: Ask, files: QuestionFile[]): Ask => ({ ...ask, files, key: askKey({ ...ask, files }) }),
  },
);

/** Leaves out empty members, so that keys equal those of earlier versions. */
function conversation({ setup, followUps, responder }: Case): Pick<Ask, "setup" | "followUps" | "responder"> {
  return {
    setup: setup?.length === 0 ? undefined : setup,
    followUps: followUps?.length === 0 ? undefined : followUps,
    responder,
  };
}

/**
 * Leaves out the library: shards are assigned by this key, and machines with different libraries must agree on them.
 */
function askKey({
  kind,
  prompt,
  files,
  messages,
  limits,
  skill,
  ...rest
}: Omit<Ask, "key" | "library"> & Partial<Ask>): string {
  const { setup, followUps, responder, variant } = rest;
  return fingerprint({
    variant: variant && (variant.fingerprint ?? "without"),
    setup,
    followUps,
    responder,
    kind,
    prompt,
    files: files.map((file) => ({ path: file.path, content: contentHash(file) })),
    messages,
    limits,
    skill,
  });
}

/** Hashes the current content. Unreadable files are reported when the suite is read and when it is staged. */
export function contentHash(file: QuestionFile): string {
  if ("content" in file) return sha256(file.content);
  const hash = createHash("sha256");
  const read = feedFile(file.from, { within: file.within }, (piece) => hash.update(piece));
  return read.status === "fed" ? hash.digest("hex") : `unreadable:${file.path}`;
}

export function promptOf({ prompt, template }: Case): string {
  return template === undefined ? (prompt ?? "") : renderTemplate(template).prompt;
}
