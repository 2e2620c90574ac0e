import { z } from "zod";
import { type ConfigNote, rejectionsOf } from "../../base/index.ts";
import {
  type Activation,
  type Check,
  countedActivations,
  type EvidenceRule,
  type Prediction,
  type SkillInvocation,
} from "../../model/index.ts";
import { defineGrader } from "../grader.ts";
import { type OpenSkills, openSkills } from "./open-skills.ts";
import { matchSkills, type SkillMatch } from "./skill-match.ts";

const names = z.array(z.string().trim().min(1, "A skill's name cannot be blank")).default([]);

const written = z.strictObject({
  required_skills: names.describe("Skills that must be activated"),
  forbidden_skills: names.describe("Skills that must not be activated"),
  also_fine: names.describe("Skills that may be activated instead of a required one, and are never extras"),
  mode: z
    .enum(["exact_match", "in_order", "any_order"])
    .optional()
    .describe("How the activated skills must match required_skills"),
  allow_extra: z.boolean().default(true).describe("Whether skills beyond the required ones may be activated"),
});

/**
 * A forbidden skill fails the trial whatever else happened; other skills are fine unless `allow_extra` is false.
 * The score is 1 exactly when the trial passes.
 */
export const skillInvocation = defineGrader({
  type: "skill_invocation",
  config: written
    .superRefine(reject)
    .transform((config): SkillInvocation => ({ ...config, mode: config.mode ?? "any_order" })),

  grade(config, transcript, { evidence }) {
    return checkActivations(config, transcript, evidence);
  },
});

/**
 * One check for the required skills, one per forbidden skill, and one for extras if `allow_extra` is false. A check
 * that depends on an undecided skill is null.
 */
export function checkActivations(
  config: SkillInvocation,
  { activations, prediction }: { activations: readonly Activation[]; prediction?: Prediction | undefined },
  evidence?: EvidenceRule,
): Check[] {
  const fired = countedActivations(activations, evidence).map((activation) => activation.skill);
  const open = openSkills(config, fired, prediction);
  return open === undefined ? checksOf(config, fired) : checksInDoubt(config, fired, open);
}

function checksOf(config: SkillInvocation, fired: readonly string[]): Check[] {
  const match = matchSkills(config, fired);
  return [...requiredChecks(config, match), ...forbiddenChecks(config, match), ...extraChecks(config, match)];
}

/**
 * Firing more wanted skills can only help and more others can only harm. So if a check has the same result in the
 * extreme cases, it has that result in all of them.
 */
function checksInDoubt(config: SkillInvocation, fired: readonly string[], { wanted, others }: OpenSkills): Check[] {
  const worlds = [[], wanted, others, [...wanted, ...others]].map((more) => checksOf(config, [...fired, ...more]));
  const required = config.required_skills.length > 0 ? 1 : 0;
  return checksOf(config, fired).map((check, at) => {
    const ofRequired = at < required;
    const isSame = worlds.every((checks) => checks[at]?.passed === check.passed);
    // The order in which they would fire is unknown as well.
    if (isSame && !(ofRequired && config.mode !== "any_order" && wanted.length > 0)) return check;
    const doubtful =
      ofRequired && wanted.length > 0 ? wanted : [config.forbidden_skills[at - required] ?? others].flat();
    return { passed: null, score: null, message: `cannot tell whether ${list(doubtful)} would fire` };
  });
}

/** Whether no further activation can change the verdict or the score. */
export function decided(config: SkillInvocation, activations: readonly Activation[], evidence?: EvidenceRule): boolean {
  const match = matchSkills(
    config,
    countedActivations(activations, evidence).map((activation) => activation.skill),
  );
  if (match.forbidden.length > 0) return true;
  if (config.required_skills.length === 0) return !config.allow_extra && match.extras.length > 0;
  return config.forbidden_skills.length === 0 && extrasAreFine(config) && match.holds;
}

export function isPositive(config: SkillInvocation): boolean {
  return config.required_skills.length > 0;
}

/** A positive hits when it passes, a negative when it fails. Null means not measured. */
export function hit(positive: boolean, passed: boolean | null): boolean | null {
  return passed === null ? null : positive === passed;
}

function requiredChecks(
  { required_skills: required, mode }: SkillInvocation,
  { score, holds, missing, fired }: SkillMatch,
): Check[] {
  if (required.length === 0) return [];
  if (holds) return [{ passed: true, score, message: `${list(required)} fired` }];
  const instead = fired.length === 0 ? "no skill fired" : `fired: ${fired.join(", ")}`;
  if (missing.length > 0) return [{ passed: false, score, message: `${list(missing)} did not fire (${instead})` }];
  const wanted = mode === "exact_match" ? "exactly" : "in this order";
  return [{ passed: false, score, message: `${list(required)} should fire ${wanted} (${instead})` }];
}

function forbiddenChecks({ forbidden_skills }: SkillInvocation, { forbidden }: SkillMatch): Check[] {
  return forbidden_skills.map((skill) =>
    forbidden.includes(skill)
      ? { passed: false, score: 0, message: `${skill} fired, but must not` }
      : { passed: true, score: 1, message: `${skill} stayed silent` },
  );
}

function extraChecks(config: SkillInvocation, { score, extras }: SkillMatch): Check[] {
  if (config.allow_extra) return [];
  if (extras.length === 0) return [{ passed: true, score: 1, message: "no other skill fired" }];
  const message = `${list(extras)} fired, and no ${isPositive(config) ? "other " : ""}skill may`;
  return [{ passed: false, score, message }];
}

function extrasAreFine({ mode, allow_extra }: SkillInvocation): boolean {
  return allow_extra && mode !== "exact_match";
}

function list(skills: readonly string[]): string {
  return [...new Set(skills)].join(", ");
}

function reject(config: z.output<typeof written>, context: z.RefinementCtx): void {
  const { required_skills: required, forbidden_skills: forbidden, also_fine: fine } = config;
  const add = (path: (string | number)[], message: string) => context.addIssue({ code: "custom", path, message });
  if (required.length === 0 && forbidden.length === 0 && config.allow_extra) {
    add(
      [],
      "Nothing to check: name required_skills or forbidden_skills, or set allow_extra to false if no skill may fire",
    );
  }
  if (required.length > 0 && config.mode === undefined) {
    add(["mode"], "required_skills needs a mode: exact_match, in_order or any_order (any_order is the usual one)");
  }
  forbidden.forEach((skill, index) => {
    if (required.includes(skill)) add(["forbidden_skills", index], `\`${skill}\` is both required and forbidden`);
    else if (fine.includes(skill)) add(["forbidden_skills", index], `\`${skill}\` is both forbidden and also_fine`);
  });
}

export type CheckedConfig<Config> =
  | { status: "usable"; config: Config; notes: ConfigNote[] }
  | { status: "rejected"; rejections: ConfigNote[] };

export function checkSkillInvocation(raw: unknown): CheckedConfig<SkillInvocation> {
  const parsed = skillInvocation.config.safeParse(raw);
  if (!parsed.success) return { status: "rejected", rejections: rejectionsOf(raw, skillInvocation.config) };
  return {
    status: "usable",
    config: parsed.data,
    notes: [...modeNotes(parsed.data, raw), ...silenceNotes(parsed.data)],
  };
}

function modeNotes({ required_skills }: SkillInvocation, written: unknown): ConfigNote[] {
  const hasMode = typeof written === "object" && written !== null && "mode" in written && written.mode !== undefined;
  return hasMode && required_skills.length === 0
    ? [{ path: ["mode"], message: "mode is ignored: nothing is required" }]
    : [];
}

function silenceNotes({ required_skills, forbidden_skills, allow_extra }: SkillInvocation): ConfigNote[] {
  if (allow_extra || required_skills.length > 0 || forbidden_skills.length === 0) return [];
  const only = forbidden_skills.join(", ");
  const message = `allow_extra: false without required_skills means no skill may fire at all, not only ${only}`;
  return [{ path: ["allow_extra"], message }];
}
