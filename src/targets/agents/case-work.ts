import { join } from "node:path";
import { readSkill, skillFiles } from "../../exam/find/index.ts";
import type { Ask } from "../../model/index.ts";
import type { Answer } from "../target.ts";
import type { Cell } from "./cell.ts";
import { programsIn } from "./programs.ts";
import { notStarted, type RunningTrial } from "./trial/trial.ts";
import { firstCommit } from "./workspace/first-commit.ts";
import { isIntact, TAMPERED } from "./workspace/intact.ts";
import { filePrints, leftFiles } from "./workspace/left-files.ts";
import type { StageableSkill, Workspace } from "./workspace/workspace.ts";

const SETUP_MS = 300_000;

/** A case may be shown only the skill under test, another version of it, or everything but it. */
export async function shownFor(
  { kind, skill, variant }: Pick<Ask, "kind" | "skill" | "variant">,
  all: readonly StageableSkill[],
  { options }: Pick<Cell, "options">,
): Promise<readonly StageableSkill[]> {
  if (kind === "trigger" || skill === undefined) return all;
  const others = options.only_skill ? [] : all.filter((one) => one.skill.id !== skill);
  const own = all.find((one) => one.skill.id === skill);
  if (variant === undefined) return options.only_skill ? (own === undefined ? [] : [own]) : all;
  return variant.folder === undefined || own === undefined ? others : [...others, await versionOf(own, variant.folder)];
}

/** Keeps the skill's id, so that it is seen to fire. */
async function versionOf({ skill }: StageableSkill, folder: string): Promise<StageableSkill> {
  const other = { ...(await readSkill(join(folder, "SKILL.md"))), id: skill.id };
  return { skill: other, files: await skillFiles(other) };
}

/** Runs a case's `setup` in its workspace and commits the result. If that fails, the trial is not asked. */
export async function prepareCase(
  workspace: Workspace,
  { setup = [] }: Ask,
  { options, env }: Cell,
): Promise<RunningTrial | undefined> {
  if (setup.length > 0) {
    const programs = programsIn(workspace, { sandbox: options.sandbox, env });
    if (typeof programs === "string") return notStarted(programs);
    for (const line of setup) {
      const ended = await programs.run({ file: "/bin/sh", args: ["-c", line], timeoutMs: SETUP_MS });
      const why =
        ended.status === "failed"
          ? ended.why
          : ended.code === 0
            ? undefined
            : `it exited with ${ended.code}: ${ended.stderr.trim().slice(-300)}`;
      if (why !== undefined) return notStarted(`setup \`${line}\` failed: ${why}`);
    }
    // git works outside of any sandbox.
    if (!isIntact(workspace)) return notStarted(TAMPERED);
  }
  await firstCommit(workspace.project, env);
  return undefined;
}

/** What graders need of a case's workspace. Takes fingerprints now, before the examinee has done anything. */
export function caseWork(workspace: Workspace, { adapter, options, env }: Cell): Pick<Answer, "files" | "programs"> {
  const except = [adapter.skillsDir];
  const before = filePrints(workspace.project, except);
  return {
    files: () => (isIntact(workspace) ? leftFiles(workspace.project, before, except) : { files: [], cut: TAMPERED }),
    programs: programsIn(workspace, { sandbox: options.sandbox, env }),
  };
}
