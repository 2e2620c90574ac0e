import { count, displayWidth } from "../../base/index.ts";
import type { Scores, TargetScores } from "../../scores/index.ts";
import { oneLine, pad, wrap } from "../text/fit-text.ts";
import type { ReportScreen } from "./screen.ts";

/** What was examined, and by whom: the first lines of the screen. */
export function headLines(scores: Scores, screen: ReportScreen): string[] {
  const { run, plan } = scores;
  const proctor = `proctor ${oneLine(run.proctor)}`;
  const library = `library ${oneLine(run.library.name)}: ${count(run.library.skills, "skill")} (fp ${oneLine(run.library.fingerprint.slice(0, 6))})`;
  const kinds = [
    ...(plan.positive > 0 ? [`${plan.positive} positive`] : []),
    ...(plan.negative > 0 ? [`${plan.negative} negative`] : []),
    ...(plan.cases > 0 ? [count(plan.cases, "case")] : []),
    ...(plan.skipped > 0 ? [`${plan.skipped} of them skipped`] : []),
  ];
  const questions = `${count(plan.questions, "question")}${kinds.length === 0 ? "" : `: ${kinds.join(", ")}`}`;
  return [
    ...joined([proctor, library, questions], screen).map((line) => screen.colors.bold(line)),
    ...scores.targets.flatMap((target) => targetLine(target, scores, screen)),
    ...stateLines(scores, screen),
  ];
}

/** Side by side where they pad, else one below the other. */
function joined(parts: string[], { width }: ReportScreen): string[] {
  const line = parts.join("   ");
  if (displayWidth(line) <= width) return [line];
  return parts.flatMap((part) => wrap(part, width));
}

function targetLine(target: TargetScores, { targets }: Scores, { width, colors }: ReportScreen): string[] {
  const column = Math.min(32, Math.max(14, ...targets.map(({ id }) => displayWidth(oneLine(id)))));
  const lines = wrap(aboutTarget(target), width - column - 2);
  return lines.map((line, index) => `${pad(index === 0 ? oneLine(target.id) : "", column)}  ${colors.dim(line)}`);
}

function aboutTarget({ predicted, note, identity, deterministic }: TargetScores): string {
  if (note !== undefined) return oneLine(note);
  if (predicted) return "predicted, not an agent run";
  const host = [identity.host, identity.version].filter((part) => part !== undefined).join(" ");
  const parts = [host, identity.model === undefined ? "" : `model ${identity.model}`, deterministic ? "deterministic" : ""];
  return oneLine(parts.filter((part) => part !== "").join(", ")) || "version and model not known";
}

/** A run that did not ask everything says so before it claims anything. */
function stateLines({ run, plan }: Scores, { colors, width }: ReportScreen): string[] {
  const lines: string[] = [];
  if (run.partial !== undefined)
    lines.push(`partial (${run.partial.map(oneLine).join(", ")}): these are not the scores of the library, and no baseline.`);
  if (run.missingShards !== undefined) {
    const one = run.missingShards.length === 1;
    lines.push(
      `${one ? "shard" : "shards"} ${run.missingShards.join(", ")} missing: what ${one ? "it asks" : "they ask"} has no verdict here.`,
    );
  }
  if (run.shard !== undefined) lines.push(`shard ${run.shard.index} of ${run.shard.count}: proctor merge puts the shards together.`);
  if (run.how === "interrupted") lines.push("interrupted: what follows is what was measured until then.");
  if (run.how === "unfinished") lines.push("unfinished: the record has no end yet; what follows is what it holds so far.");
  if (plan.drafts > 0)
    lines.push(
      `${plan.drafts} of ${count(plan.questions, "question")} ${plan.drafts === 1 ? "is a draft" : "are drafts"} nobody has edited.`,
    );
  const silent = plan.skillsWithoutQuestions;
  if (silent.length > 0 && run.partial === undefined && run.shard === undefined) {
    const names = [...silent.slice(0, 5).map(oneLine), ...(silent.length > 5 ? [`${silent.length - 5} more`] : [])].join(", ");
    const [have, them] = silent.length === 1 ? ["has", "it"] : ["have", "them"];
    lines.push(`${count(silent.length, "skill")} of the library ${have} no question (${names}): nothing is known of ${them}.`);
  }
  return lines.flatMap((line) => wrap(line, width)).map((line) => colors.yellow(line));
}
