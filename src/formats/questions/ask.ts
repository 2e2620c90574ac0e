import { createHash } from "node:crypto";
import { feedFile, fingerprint, sha256 } from "../../base/index.ts";
import type { Ask, Case, Library, Question, QuestionFile } from "../../model/index.ts";
import { renderTemplate } from "./template.ts";

/**
 * What is put to a target for this question. `makeAsk.about` makes of it what is put to a judge, who decides about
 * one skill.
 */
export const makeAsk = Object.assign(
  (question: Question, library: Library): Ask => {
    const { kind, files, messages, limits } = question;
    const prompt = kind === "trigger" ? question.query : promptOf(question);
    // A trigger's ask has no skill: a positive of one skill that is a negative of another is asked once.
    const skill = kind === "case" && question.skill !== undefined ? { skill: question.skill } : {};
    const rest = { kind, prompt, files, messages, limits, ...skill, ...(kind === "case" && conversation(question)) };
    return { key: askKey(rest), library: library.fingerprint, ...rest };
  },
  {
    /** The same case, put without its skill, or with another version of it. */
    compared: (ask: Ask, variant: NonNullable<Ask["variant"]>): Ask => ({
      ...ask,
      variant,
      key: askKey({ ...ask, variant }),
    }),
    about: (ask: Ask, skill: string): Ask => ({ ...ask, skill, key: askKey({ ...ask, skill }) }),
    /** The same with its files from elsewhere; its key is another if they do not hold the same. */
    withFiles: (ask: Ask, files: QuestionFile[]): Ask => ({ ...ask, files, key: askKey({ ...ask, files }) }),
  },
);

/** Leaves out what a case does not have, so that keys equal those of earlier versions. */
function conversation({ setup, followUps, responder }: Case): Pick<Ask, "setup" | "followUps" | "responder"> {
  return {
    ...(setup !== undefined && setup.length > 0 && { setup }),
    ...(followUps !== undefined && followUps.length > 0 && { followUps }),
    ...(responder !== undefined && { responder }),
  };
}

/** Without the library: shards are cut by it, and machines that hold different libraries must still cut alike. */
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
    ...(variant && { variant: variant.fingerprint ?? "without" }),
    ...(setup && { setup }),
    ...(followUps && { followUps }),
    ...(responder && { responder }),
    kind,
    prompt,
    files: files.map((file) => ({ path: file.path, content: contentHash(file) })),
    messages,
    limits,
    skill,
  });
}

/**
 * Hashes the current content. A file that cannot be read is reported elsewhere: when the suite is read, and when it
 * is staged.
 */
export function contentHash(file: QuestionFile): string {
  if ("content" in file) return sha256(file.content);
  const hash = createHash("sha256");
  const read = feedFile(file.from, { within: file.within }, (piece) => hash.update(piece));
  return read.status === "fed" ? hash.digest("hex") : `unreadable:${file.path}`;
}

export function promptOf({ prompt, template }: Case): string {
  return template === undefined ? (prompt ?? "") : renderTemplate(template).prompt;
}
