import { relativePosix, UsageError } from "../../base/index.ts";
import { type OwnCommand, skillCommands } from "../../check/index.ts";
import { hostOf } from "../../hosts/index.ts";
import type { Skill } from "../../model/index.ts";
import type { Cell } from "./cell.ts";
import { sandboxAdvice } from "./process/find-sandbox.ts";

/** Without a sandbox, commands in a skill would run as the user, on the user's own files, once the model loads it. */
export function refuseCommands({ adapter, options, sandbox, env, distractors }: Cell, library: readonly Skill[]): void {
  if (sandbox !== undefined || options.allow_hooks || isInert(adapter.profile)) return;
  const skills = [...library, ...(distractors?.skills.map(({ skill }) => skill) ?? [])];
  const found = skills.flatMap((skill) => skillCommands(skill).map((command) => ({ skill, command })));
  const [first] = found;
  if (first === undefined) return;
  const others = new Set(found.map(({ skill }) => skill.id)).size - 1;
  throw new UsageError(
    `${first.skill.id} carries ${first.command.what} that ${adapter.title} runs unprompted, and there is no sandbox around it: ${shown(first.command)}${
      others === 0 ? "" : `; so ${others === 1 ? "does 1 other skill" : `do ${others} other skills`}`
    }.`,
    `proctor check names every such command. ${advice(options.sandbox, env)}, or pass --allow-hooks if you trust them all.`,
  );
}

/** Unknown for an agent without a profile. */
function isInert(profile: string | undefined): boolean {
  return profile !== undefined && hostOf(profile).lint.commandsOfSkills === "inert";
}

function advice(sandbox: string, env: NodeJS.ProcessEnv): string {
  if (sandbox === "off") return "Run with a sandbox (without --no-sandbox)";
  const text = sandboxAdvice(env);
  return `For a sandbox, ${text}`;
}

function shown({ command, location: { file, line } }: OwnCommand): string {
  const text = command.replace(/\s+/g, " ").replace(/[\p{Cc}\p{Cf}]/gu, "\ufffd");
  const clipped = text.length > 80 ? `${text.slice(0, 79)}…` : text;
  return `"${clipped}" (${relativePosix(process.cwd(), file)}${line === undefined ? "" : `:${line}`})`;
}
