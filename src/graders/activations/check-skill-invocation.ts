import { type ConfigNote, rejectionsOf } from "../../base/index.ts";
import type { SkillInvocation } from "../../model/index.ts";
import { skillInvocation } from "./skill-invocation.ts";

/** A configuration as written in a suite: usable, perhaps with notes, or rejected with the reasons. */
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

function modeNotes({ required_skills }: SkillInvocation, raw: unknown): ConfigNote[] {
  const hasMode = typeof raw === "object" && raw !== null && "mode" in raw && raw.mode !== undefined;
  return hasMode && required_skills.length === 0
    ? [{ path: ["mode"], message: "mode is ignored: nothing is required" }]
    : [];
}

function silenceNotes({ required_skills, forbidden_skills, allow_extra }: SkillInvocation): ConfigNote[] {
  if (allow_extra || required_skills.length > 0 || forbidden_skills.length === 0) return [];
  const message = `allow_extra: false without required_skills means no skill may fire at all, not only ${forbidden_skills.join(", ")}`;
  return [{ path: ["allow_extra"], message }];
}
