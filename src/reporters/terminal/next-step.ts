import { displayWidth } from "../../base/index.ts";
import { flagWords } from "../../base/options/index.ts";
import { openToAsk } from "../../exam/score/index.ts";
import { onlyDrafts, type QuestionScore, type Rate, type Scores, type TargetScores } from "../../model/index.ts";
import type { BetterTarget } from "../reporter.ts";
import { oneLine } from "../text/fit-text.ts";
import { moneyText } from "../text/numbers.ts";
import { isPlain, shellWord } from "../text/shell.ts";
import { failuresOf } from "./failures.ts";
import { type Commands, commandsFor, type ReportScreen } from "./screen.ts";

export function nextLines(scores: Scores, screen: ReportScreen): string[] {
  const { colors, width, record } = screen;
  const [first, other] = suggestions(scores, commandsFor(scores, screen), screen);
  const page = record === undefined || scores.plan.questions === 0 ? [] : ["page: proctor view"];
  if (first === undefined) return page.map((line) => colors.cyan(line));
  const both = `next: ${first}     or ${other}`;
  const fits = other !== undefined && displayWidth(both) <= width;
  const lines = fits ? [both] : [`next: ${first}`, ...(other === undefined ? [] : [`  or  ${other}`])];
  const joined = [...lines.slice(0, -1), [...lines.slice(-1), ...page].join("     ")];
  const isShort = joined.every((line) => displayWidth(line) <= width);
  return (isShort ? joined : [...lines, ...page]).map((line) => colors.cyan(line));
}

function suggestions(
  scores: Scores,
  commands: Commands,
  { better, width, verbose }: Pick<ReportScreen, "better" | "width" | "verbose">,
): string[] {
  const { run, plan, targets } = scores;
  if (plan.questions === 0 && run.shard !== undefined) return ["proctor merge puts the shards together"];
  if (plan.questions === 0)
    return run.partial === undefined
      ? ["proctor init drafts a suite for a skill"]
      : [`${commands.about("run")} without filters asks everything`];
  if (run.how === "interrupted" || run.how === "unfinished") return [commands.resume()];
  if (run.damage !== undefined) return [`${commands.run([])}   (a damaged record cannot be repaired)`];
  if (run.missingShards !== undefined) return ["proctor merge with all shards"];
  const draft = targets[0]?.questions.find(({ cross }) => !cross);
  if (onlyDrafts(scores) && draft !== undefined)
    return [`edit the drafts in ${oneLine(draft.source.file)}: only drafts were asked`];
  const measured = targets.filter(({ total: { coverage } }) => coverage.verdicts > 0 || coverage.missing.unsure > 0);
  const further = withMore(scores, commands);
  if (measured.length === 0 && further !== undefined) return [further];
  const real = run.ownTargets
    ? `ask a model: ${commands.run([], ["model:claude-haiku-4-5"])}`
    : `ask a real agent: ${commands.run([], ["claude:haiku"])}`;
  if (measured.length === 0) {
    if (targets.every(({ predicted, questions }) => predicted && questions.every(({ status }) => status === "skipped")))
      return [real];
    const auth = targets.some((target) => target.trials.errors.auth !== undefined);
    const invalid = targets.some((target) => target.total.coverage.missing.invalid > 0);
    return auth ? ["proctor doctor"] : invalid ? [commands.about("check")] : ["proctor doctor", commands.resume()];
  }
  const locked = measured.every((target) => target.total.coverage.verdicts === 0 && openToAsk(target) === 0);
  if (locked) return [`${commands.about("check")}   (no model may activate these skills)`];
  const failed = failuresOf(scores).map(({ question }) => question);
  const ask = measured.every((target) => target.predicted)
    ? askBetter(better, measured, failed.length, commands)
    : undefined;
  const why =
    failed.length === 0
      ? undefined
      : ask === undefined
        ? trialsCommand(failed, commands, width)
        : routeCommand(failed, commands, width);
  // A better target comes first: it answers what the prediction cannot, and shows whether it is right.
  const list = verbose || ask === undefined ? [] : listUnsure(measured, commands);
  if (ask !== undefined && typeof better === "object" && failed.length > 0)
    return why === undefined ? [ask] : [ask, why];
  if (ask !== undefined && typeof better === "object") return [...list, ask];
  if (failed.length > 0) {
    const again = ask ?? further ?? commands.run(flagWords({ failed: true }));
    return why === undefined ? [again] : [why, again];
  }
  if (further !== undefined) return [further];
  if (targets.some((target) => target.total.coverage.missing.errors > 0)) return [commands.resume()];
  if (scores.gates.length > 0) return gateAdvice(scores, measured, commands);
  if (ask !== undefined) return [...list, ask];
  const silent = plan.skillsWithoutQuestions[0];
  return silent === undefined || run.partial !== undefined
    ? [`to enforce this in CI: ${commands.run(["--gate", `'${gateThatHolds(measured)}'`])}`]
    : [commands.about(`init ${shellWord(silent)}`)];
}

/** Suggests listing the questions that the target cannot tell, unless that is all of them. */
function listUnsure(measured: TargetScores[], commands: Commands): string[] {
  const unsure = measured.reduce((sum, { total }) => sum + total.coverage.missing.unsure, 0);
  if (unsure === 0 || measured.every(({ total }) => total.coverage.verdicts === 0)) return [];
  return [
    `${commands.report("--verbose")}   (${unsure === 1 ? "shows the one" : `lists the ${unsure}`} it cannot tell)`,
  ];
}

function askBetter(
  better: ReportScreen["better"],
  measured: TargetScores[],
  failed: number,
  commands: Commands,
): string {
  const unsure = measured.reduce((sum, target) => sum + openToAsk(target), 0);
  const open = unsure === 1 ? "that one" : `the ${unsure}`;
  const what =
    unsure > 0 ? `asks every question, also ${open}` : `shows whether they really ${failed > 0 ? "fail" : "pass"}`;
  if (better === undefined)
    return `proctor doctor   (who on this machine ${unsure > 0 ? `can be asked ${open}` : `can tell whether they really ${failed > 0 ? "fail" : "pass"}`})`;
  if (better === "nobody")
    return `to ${unsure > 0 ? `ask ${open}` : `see whether they really ${failed > 0 ? "fail" : "pass"}`}: ${HELP}`;
  return `${commands.run([...better.flags], [better.target])}   (${what}, ${priceText(better)})`;
}

const HELP = "install Ollama (free) or an agent CLI: see proctor doctor";

function priceText({ costUsd, onPlan }: BetterTarget): string {
  if (costUsd === null) return onPlan ? "on your plan" : "at your key's rates";
  return costUsd === 0 ? "free" : `up to about ${moneyText(costUsd)}`;
}

/** A run cut short by a limit resumes with one high enough for everything planned. */
function withMore({ run, targets }: Scores, commands: Commands): string | undefined {
  const left = (run.notAsked["budget"] ?? 0) + (run.notAsked["--max-trials"] ?? 0);
  if (left === 0 || targets.every(({ total: { coverage } }) => coverage.verdicts === coverage.planned))
    return undefined;
  const sum = (of: (target: TargetScores) => number) => targets.reduce((total, target) => total + of(target), 0);
  const made = sum(({ trials }) => trials.total - trials.cached);
  const spent = sum(({ trials }) => trials.cost.usd);
  const share = made === 0 ? 2 : (made + left) / made;
  const { trials, usd, tokens } = run.limits;
  const more = {
    budget: usd === undefined ? undefined : atLeast(Math.max(spent, usd / 2, 0.001) * share),
    budgetTokens: tokens === undefined ? undefined : Math.ceil(tokens * share),
    maxTrials: trials === undefined ? undefined : made + left,
  };
  return commands.resume(flagWords(more));
}

function atLeast(value: number): number {
  const digit = 10 ** (Math.floor(Math.log10(value)) - 1);
  return Number((Math.ceil(value / digit - 1e-9) * digit).toPrecision(2));
}

function routeCommand(failed: QuestionScore[], commands: Commands, width: number): string | undefined {
  const command = (query: string) => commands.about(`route ${shellWord(query, true)}`);
  const query = shortQuery(
    failed.filter(({ kind }) => kind === "trigger"),
    (text) => fits(command(text), width),
  );
  return query === undefined ? undefined : command(query);
}

function trialsCommand(failed: QuestionScore[], commands: Commands, width: number): string {
  const command = (query: string) => commands.report("--trials", shellWord(query, true));
  const query = shortQuery(failed, (text) => fits(command(text), width));
  return query === undefined ? commands.report("--trials") : command(query);
}

function fits(command: string, width: number): boolean {
  return displayWidth(`next: ${command}`) <= width;
}

/**
 * Prefers the first short prompt, otherwise the shortest that fits on the line: a truncated command would ask something
 * else.
 */
function shortQuery(failed: QuestionScore[], isFitting: (text: string) => boolean): string | undefined {
  const queries = failed.map(({ name, prompt }) => name ?? prompt).filter(isPlain);
  const short = queries.filter((text) => text.length <= 60);
  return short.find(isFitting) ?? queries.sort((a, b) => a.length - b.length).find(isFitting) ?? short[0];
}

/** A gate that is breached although no question fails needs more questions, or more runs of the flaky ones. */
function gateAdvice({ gates }: Scores, measured: TargetScores[], commands: Commands): string[] {
  const breached = gates.find(({ status }) => status === "breached");
  if (breached === undefined) return [];
  const { gate, target } = breached;
  const on = measured.find(({ id }) => id === target);
  const skills = (on?.skills ?? []).filter(({ skill }) => gate.skill === undefined || gate.skill === skill);
  const fewest = [...skills].sort((a, b) => a.score.n - b.score.n)[0]?.skill;
  if (gate.bound !== "estimate" && fewest !== undefined)
    return [`more questions narrow the interval: ${commands.about(`init ${shellWord(fewest)} --dry-run`)}`];
  return on !== undefined && on.total.flaky > 0
    ? [`more runs show whether it was chance: ${commands.run(flagWords({ runs: 10 }))}`]
    : [];
}

/**
 * Gates on the lower bound of the interval if that is useful, otherwise on the estimate; never on a value that these
 * scores would breach.
 */
function gateThatHolds(measured: TargetScores[]): string {
  const metric = measured.every(({ total }) => total.recall.value !== null) ? "recall" : "score";
  const least = (of: (rate: Rate) => number | null) => Math.min(...measured.map(({ total }) => of(total[metric]) ?? 0));
  const low = least((rate) => rate.low);
  return low >= 0.5
    ? `lower(${metric})>=${twentieth(low)}`
    : `${metric}>=${Math.min(0.9, twentieth(least((rate) => rate.value)))}`;
}

function twentieth(share: number): number {
  return Math.floor(share * 20 + 1e-9) / 20;
}
