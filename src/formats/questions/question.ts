import { sha256 } from "../../base/index.ts";
import type { Case, Question, Suite, Trigger } from "../../model/index.ts";

export function emptySuite(file: string, format: string): Suite {
  return { file, format, triggers: [], cases: [], defaults: {}, problems: [] };
}

/** Ids must not change when other questions are added, so they are the author's own or made from the text. */
export function giveIds(suite: Suite): Suite {
  const used = new Set<string>();
  /** Where to resume counting: a suite may ask the same thing thousands of times. */
  const counted = new Map<string, number>();
  for (const question of [...suite.triggers, ...suite.cases]) {
    const id = question.id === "" ? idOf(question) : question.id;
    let own = id;
    let count = counted.get(id) ?? 2;
    for (; used.has(own); count++) own = `${id}-${count}`;
    counted.set(id, count);
    used.add(own);
    question.id = own;
  }
  return suite;
}

/** The author's name for a case: its name, or an id with letters in it that was not made from its text. */
export function nameOf(question: Case): string | undefined {
  const { name, id } = question;
  return name ?? (/\p{L}/u.test(id) && !id.startsWith(idOf(question)) ? id : undefined);
}

/** A trigger that is also a case needs an id of its own in the suite; the case keeps the author's. */
export function besideCase(id: string | undefined): string | undefined {
  return id === undefined ? undefined : `${id}/skill`;
}

export function idOf(question: Question): string {
  const text = question.kind === "trigger" ? question.query : (question.name ?? question.prompt ?? "");
  const words =
    text
      .normalize("NFKD")
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const slug = words.slice(0, 5).join("-").slice(0, 40);
  const hash = sha256(`${question.skill ?? ""}\n${text}`).slice(0, 6);
  return slug === "" ? hash : `${slug}-${hash}`;
}

type Common = "files" | "messages" | "tags" | "skipProviders" | "limits";

export function makeTrigger(
  parts: Omit<Trigger, "kind" | "id" | Common> & Partial<Pick<Trigger, "id" | Common>>,
): Trigger {
  return {
    kind: "trigger",
    id: "",
    files: [],
    messages: [],
    tags: [],
    skipProviders: [],
    limits: {},
    ...defined(parts),
  };
}

export function makeCase(
  parts: Omit<Case, "kind" | "id" | "models" | "graders" | Common> &
    Partial<Pick<Case, "id" | "models" | "graders" | Common>>,
): Case {
  return {
    kind: "case",
    id: "",
    files: [],
    messages: [],
    tags: [],
    skipProviders: [],
    limits: {},
    models: [],
    graders: [],
    ...defined(parts),
  };
}

/** Drops undefined members: a recorded question shows only what its author wrote, and defaults can fill the gaps. */
export function defined<T extends object>(parts: T): T {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as T;
}
