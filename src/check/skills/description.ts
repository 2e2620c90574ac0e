import { type Problem, problemsBy, type Rule } from "../../base/index.ts";
import type { AskedHosts, Host, LintFacts } from "../../hosts/index.ts";
import { characters, grouped, isLonger, MOST_DESCRIPTION } from "../../hosts/index.ts";
import type { Skill } from "../../model/index.ts";
import { keyAt, top, valueAt } from "../places.ts";
import { type Effect, told } from "./effects.ts";

export const descriptionRules = {
  "skill/description-missing": { severity: "error", title: "The skill has no description" },
  "skill/description-too-long": { severity: "error", title: "The description is longer than 1,024 characters" },
  "skill/description-vague": { severity: "warning", title: "The description says too little" },
  "skill/description-no-when": { severity: "info", title: "The description does not say when to use the skill" },
} as const satisfies Record<string, Rule>;

const problem = problemsBy(descriptionRules);

export function lintDescription(skill: Skill, asked: AskedHosts): Problem[] {
  const { description } = skill.card;
  if (description === "") return missing(skill, asked);
  return [...long(skill, asked), ...vague(skill)];
}

function missing(skill: Skill, asked: AskedHosts): Problem[] {
  const location = "description" in skill.frontmatter ? keyAt(skill, "description") : top(skill);
  return [
    problem("skill/description-missing", {
      message: `The skill has no description. ${withoutDescription(asked)}`.trim(),
      fix: "Say in a sentence or two what the skill does and when to use it.",
      location,
    }),
  ];
}

export function withoutDescription({ hosts }: AskedHosts): string {
  const who = (what: LintFacts["withoutDescription"]) => hosts.filter(({ lint }) => lint.withoutDescription === what);
  return told([
    [who("dropped"), "drops the skill", "drop the skill"],
    [who("unlisted"), "does not list it", "do not list it"],
    [
      who("replaced by the body"),
      "shows the first lines of the body instead",
      "show the first lines of the body instead",
    ],
  ]);
}

function long(skill: Skill, { hosts }: AskedHosts): Problem[] {
  if (!isLonger(skill.card.description, MOST_DESCRIPTION) || !hosts.some(mindsLong)) return [];
  const count = characters(skill.card.description);
  return [
    problem("skill/description-too-long", {
      message:
        `The description has ${grouped(count)} characters; ${grouped(MOST_DESCRIPTION)} are allowed. ${told(longEffects(hosts, count))}`.trim(),
      fix: `Leave out ${grouped(count - MOST_DESCRIPTION)} characters; details belong in the body.`,
      location: valueAt(skill, "description"),
    }),
  ];
}

function mindsLong({ lint: { longDescription: rule } }: Host): boolean {
  return typeof rule === "object" && rule.most <= MOST_DESCRIPTION;
}

function longEffects(hosts: readonly Host[], count: number): Effect[] {
  const limited = hosts.flatMap((host) => {
    const rule = host.lint.longDescription;
    return typeof rule === "object" ? [{ host, ...rule }] : [];
  });
  const who = (what: "dropped" | "refused") => limited.filter(({ are }) => are === what).map(({ host }) => host);
  const cutting = limited.filter(({ are }) => are === "cut").sort((a, b) => a.most - b.most);
  return [
    [who("dropped"), "drops this skill silently", "drop this skill silently"],
    [who("refused"), "refuses it", "refuse it"],
    ...cutting.map(
      ({ host, most }): Effect => [[host], count > most ? `cuts it at ${grouped(most)}` : "shows all of it", ""],
    ),
    [hosts.filter(({ lint }) => lint.longDescription === "shown"), "shows all of it", "show all of it"],
  ];
}

const whenWords =
  /\b(?:when|whenever|while|if|before|after|during|unless|use|uses|used|using|trigger|triggers|triggered|invoke|invoked|activate|apply|applies|asks?|asked|asking|wants?|needs?|mentions?|requests?|says?|should be|must be|for any|for all)\b/i;

function vague(skill: Skill): Problem[] {
  const text = `${skill.card.description} ${skill.card.whenToUse ?? ""} ${skill.card.triggers.join(" ")}`.trim();
  const location = valueAt(skill, "description");
  if (isShort(text)) {
    return [
      problem("skill/description-vague", {
        message: `The description is all a model knows about the skill, and this one says little: ${JSON.stringify(text)}.`,
        fix: "Say what the skill does and when to use it, in the words users use.",
        location,
      }),
    ];
  }
  if (!skill.modelInvocable || !isEnglish(text) || whenWords.test(text)) return [];
  return [
    problem("skill/description-no-when", {
      message: "The description says what the skill does, but not when to use it. Models decide by when to use it.",
      fix: 'Add a sentence like "Use when …" that names the situations and the words users use.',
      location,
    }),
  ];
}

/** Scripts without spaces say more per character. */
function isShort(text: string): boolean {
  const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(text);
  if (dense) return text.length < 12;
  return text.length < 40 || (text.length < 200 && text.split(/\s+/).length < 6);
}

function isEnglish(text: string): boolean {
  return (
    /\b(?:the|and|of|to|a|an|in|with|for)\b/i.test(text) &&
    !/[^\x00-\u024f\u2000-\u2bff\p{Extended_Pictographic}]{3}/u.test(text)
  );
}
