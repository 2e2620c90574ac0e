import { type Problem, problemsBy, type Rule } from "../../base/index.ts";
import { namesOf } from "../../exam/find/index.ts";
import type { Library, Skill, Suite, Trigger } from "../../model/index.ts";
import { normalText } from "./words.ts";

export const queryRules = {
  "suite/draft": { severity: "warning", title: "A draft has not been reviewed" },
  "suite/quotes-description": { severity: "warning", title: "A query repeats the description" },
  "suite/names-skill": { severity: "warning", title: "A query names the skill" },
  "suite/command": { severity: "info", title: "A query is a command, not a request" },
  "suite/not-triggerable": { severity: "warning", title: "A positive for a skill that no model may activate" },
} as const satisfies Record<string, Rule>;

type QueryRule = keyof typeof queryRules;

const problem = problemsBy(queryRules);

export function checkQueries(suite: Suite, library: Library): Problem[] {
  const names = namesOf(library);
  const found = new Map<QueryRule, { first: Trigger; skill: Skill; count: number }>();
  const positives = suite.triggers.filter((trigger) => trigger.expect.required_skills.length > 0);
  const drafts = [...suite.triggers, ...suite.cases].filter((question) => question.draft);
  for (const trigger of positives) {
    for (const name of trigger.expect.required_skills) {
      const resolved = names.resolve(name, suite.file);
      if (resolved === undefined || !("skill" in resolved)) continue;
      for (const code of faults(trigger.query, resolved.skill)) {
        const seen = found.get(code);
        if (seen === undefined) found.set(code, { first: trigger, skill: resolved.skill, count: 1 });
        else seen.count++;
      }
    }
  }
  const problems = [...found].map(([code, { first, skill, count }]) =>
    problem(code, {
      ...wording(code, skill, { count, all: positives.length }),
      location: first.source,
    }),
  );
  const [draft] = drafts;
  if (draft !== undefined) {
    problems.push(
      problem("suite/draft", {
        message: `${drafts.length === 1 ? "This question is a draft that nobody has" : `${drafts.length} questions are drafts that nobody has`} reviewed.`,
        fix: "Read and correct them, then delete `draft`.",
        location: draft.source,
      }),
    );
  }
  return problems;
}

function faults(query: string, skill: Skill): QueryRule[] {
  if (!skill.modelInvocable) return ["suite/not-triggerable"];
  if (/^\s*[/$]\p{L}/u.test(query)) return ["suite/command"];
  if (namesSkill(query, skill)) return ["suite/names-skill"];
  return quotes(query, skill.card.description) ? ["suite/quotes-description"] : [];
}

/**
 * A query can hardly avoid a name that is one common word ("plan", "docs"). It counts only if it has several parts, or
 * together with "skill" or a slash.
 */
function namesSkill(query: string, { name }: Skill): boolean {
  const text = query.toLowerCase();
  const lower = name.toLowerCase();
  if (lower === "") return false;
  const at = text.indexOf(lower);
  const spaced = lower.replaceAll(/[-_]/g, " ");
  if (
    /[-_:]/.test(lower) &&
    at !== -1 &&
    !/[\p{L}\p{N}]/u.test((text[at - 1] ?? " ") + (text[at + lower.length] ?? " "))
  )
    return true;
  return (
    text.includes(`${lower} skill`) ||
    text.includes(`${spaced} skill`) ||
    text.includes(`skill ${lower}`) ||
    text.includes(`/${lower}`)
  );
}

export function quotes(query: string, description: string): boolean {
  const words = normalText(query);
  return words.split(" ").length >= 4 && ` ${normalText(description)} `.includes(` ${words} `);
}

function wording(code: QueryRule, skill: Skill, { count, all }: { count: number; all: number }) {
  const one = count === 1;
  const who = one ? "This positive" : `${count} of ${all} positives`;
  switch (code) {
    case "suite/not-triggerable":
      return {
        message: `${who} can never pass: ${skill.id} may not be activated by the model (disable-model-invocation or similar).`,
        fix: "Delete the positives, or allow the model to activate the skill.",
      };
    case "suite/command":
      return {
        message: `${who} ${one ? "is a command" : "are commands"} that start${one ? "s" : ""} with / or $: the host runs ${one ? "it" : "them"} no matter what the description says.`,
        fix: "Ask as somebody who does not know the skill would.",
      };
    case "suite/names-skill":
      return {
        message: `${who} name${one ? "s" : ""} the skill, so ${one ? "it does" : "they do"} not test whether the model finds the description.`,
        fix: "Ask as somebody who does not know the skill would.",
      };
    default:
      return {
        message: `${who} repeat${one ? "s" : ""} the description word for word: a match proves nothing.`,
        fix: "Say it in a user's words.",
      };
  }
}
