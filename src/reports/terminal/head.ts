import { displayWidth } from "../../base/index.ts";
import type { Scores, TargetScores } from "../../scores/index.ts";
import { count } from "../text/numbers.ts";
import { oneLine, pad, wrap } from "../text/width.ts";
import type { Screen } from "./screen.ts";

/** What was examined, and by whom: the first lines of the screen. */
export function headLines(scores: Scores, screen: Screen): string[] {
  const { run, plan } = scores;
  const proctor = `proctor ${oneLine(run.proctor)}`;
  const library = `library ${oneLine(run.library.name)}: ${count(run.library.skills, "skill")} (fp ${oneLine(run.library.fingerprint.slice(0, 6))})`;
  const kinds = [
    ...(plan.positive > 0 ? [`${plan.positive} positive`] : []),
    ...(plan.negative > 0 ? [`${plan.negative} negative`] : []),
    ...(plan.cases > 0 ? [count(plan.cases, "case")] : []),
  ];
  const questions = `${count(plan.questions, "question")}${kinds.length === 0 ? "" : `: ${kinds.join(", ")}`}`;
  return [
    ...joined([proctor, library, questions], screen).map((line) => screen.colors.bold(line)),
    ...scores.targets.flatMap((target) => targetLine(target, scores, screen)),
    ...stateLines(scores, screen),
  ];
}

/** Side by side where they pad, else one below the other. */
function joined(parts: string[], { width }: Screen): string[] {
  const line = parts.join("   ");
  if (displayWidth(line) <= width) return [line];
  return parts.flatMap((part) => wrap(part, width));
}

function targetLine(target: TargetScores, { targets }: Scores, { width, colors }: Screen): string[] {
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
function stateLines({ run, plan }: Scores, { colors, width }: Screen): string[] {
  const lines: string[] = [];
  if (run.partial !== undefined)
    lines.push(`partial: only ${run.partial.map(oneLine).join(", ")}. These are not the scores of the library, and no baseline.`);
  if (run.shard !== undefined) lines.push(`shard ${run.shard.index} of ${run.shard.count}: proctor merge puts the shards together.`);
  if (run.how === "interrupted") lines.push("interrupted: what follows is what was measured until then.");
  if (run.how === "unfinished") lines.push("unfinished: the record has no end yet; what follows is what it holds so far.");
  const silent = plan.skillsWithoutQuestions.length;
  if (silent > 0 && run.partial === undefined && run.shard === undefined) {
    lines.push(
      `${count(silent, "skill")} of the library ${silent === 1 ? "has" : "have"} no question: nothing is known of ${silent === 1 ? "it" : "them"}.`,
    );
  }
  return lines.flatMap((line) => wrap(line, width)).map((line) => colors.yellow(line));
}
