import type { Problem } from "../../base/index.ts";
import { characters, grouped, isLonger, MOST_CLAUDE_CODE, MOST_DESCRIPTION } from "../card.ts";
import { problem } from "../../skills/rules.ts";
import type { Skill } from "../../skills/skill.ts";
import { anyOf, keyAt, type Profiles, told, top, valueAt } from "./lint.ts";

/** All a model knows of a skill before it activates it. */
export function lintDescription(skill: Skill, profiles: Profiles): Problem[] {
  const { description } = skill.card;
  if (description === "") return missing(skill, profiles);
  return [...long(skill, profiles), ...cut(skill, profiles), ...vague(skill)];
}

function missing(skill: Skill, profiles: Profiles): Problem[] {
  const location = "description" in skill.frontmatter ? keyAt(skill, "description") : top(skill);
  const effects = told(profiles, [
    [["codex", "gemini"], "drops the skill", "drop the skill"],
    [["opencode"], "does not list it", ""],
    [["claude-code", "copilot"], "shows the first lines of the body instead", "show the first lines of the body instead"],
  ]);
  return [
    problem("skill/description-missing", {
      message: `The skill has no description. ${effects}`.trim(),
      fix: "Say in a sentence or two what the skill does and when to use it.",
      location,
    }),
  ];
}

function long(skill: Skill, profiles: Profiles): Problem[] {
  if (!isLonger(skill.card.description, MOST_DESCRIPTION) || !anyOf(profiles, ["spec", "claude-ai", "copilot", "codex"])) return [];
  const count = characters(skill.card.description);
  const claude = count > MOST_CLAUDE_CODE ? `cuts it at ${grouped(MOST_CLAUDE_CODE)}` : "shows all of it";
  const effects = told(profiles, [
    [["copilot"], "drops this skill silently", ""],
    [["claude-ai"], "refuses it", ""],
    [["codex"], `cuts it at ${grouped(MOST_DESCRIPTION)}`, ""],
    [["claude-code"], claude, ""],
    [["gemini", "opencode"], "shows all of it", "show all of it"],
  ]);
  return [
    problem("skill/description-too-long", {
      message: `The description has ${grouped(count)} characters; ${grouped(MOST_DESCRIPTION)} are allowed. ${effects}`.trim(),
      fix: `Leave out ${grouped(count - MOST_DESCRIPTION)} characters; details belong into the body.`,
      location: valueAt(skill, "description"),
    }),
  ];
}

/** Only with when_to_use: a description that alone is too long for Claude Code is too long for all. */
function cut(skill: Skill, profiles: Profiles): Problem[] {
  const { description, whenToUse } = skill.card;
  if (whenToUse === undefined || !profiles.hosts.has("claude-code")) return [];
  const count = characters(`${description} - ${whenToUse}`);
  if (count <= MOST_CLAUDE_CODE) return [];
  return [
    problem("skill/description-cut", {
      message: `Claude Code shows description and when_to_use together, ${grouped(count)} characters, and cuts them at ${grouped(MOST_CLAUDE_CODE)}: the end of when_to_use is never seen.`,
      fix: `Leave out ${grouped(count - MOST_CLAUDE_CODE)} characters.`,
      location: valueAt(skill, "when_to_use"),
    }),
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
        message: `The description is all a model knows of the skill, and this one says little: ${JSON.stringify(text)}.`,
        fix: "Say what the skill does and when to use it, in the words users use.",
        location,
      }),
    ];
  }
  if (!skill.modelInvocable || !isEnglish(text) || whenWords.test(text)) return [];
  return [
    problem("skill/description-no-when", {
      message: "The description says what the skill does, but not when to use it. Models decide by the when.",
      fix: 'Add a sentence like "Use when …" that names the situations and the words users use.',
      location,
    }),
  ];
}

/** Scripts without blanks between words say more with a character. */
function isShort(text: string): boolean {
  const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(text);
  if (dense) return text.length < 12;
  return text.length < 40 || (text.length < 200 && text.split(/\s+/).length < 6);
}

function isEnglish(text: string): boolean {
  return /\b(?:the|and|of|to|a|an|in|with|for)\b/i.test(text) && !/[^\x00-\u024f\u2000-\u2bff\p{Extended_Pictographic}]{3}/u.test(text);
}
