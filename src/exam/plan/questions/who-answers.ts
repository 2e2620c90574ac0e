import type { ExamOptions } from "../../../base/options/index.ts";
import { needsJudge } from "../../../graders/index.ts";
import type { GraderSpec, Identity, Question, Suite } from "../../../model/index.ts";
import { ownTargets } from "../gather/find-targets.ts";
import type { PlannedTarget } from "../planned-ask.ts";

export function whySkipped(question: Question, { target, identity }: PlannedTarget): string | undefined {
  if (question.skip !== undefined) return question.skip;
  const answers = target.answers[question.kind];
  if (answers !== true) return answers;
  const says = question.kind === "case" && (question.followUps !== undefined || question.responder !== undefined);
  if (says && target.converses !== true)
    return target.converses ?? "it answers once, and the case has more than one message";
  const skipped = providersOf(identity).find((provider) => question.skipProviders.includes(provider));
  if (skipped !== undefined) return `the suite skips ${skipped}`;
  const models = question.models ?? [];
  const { model, provider } = identity;
  if (models.length > 0 && model !== undefined && !models.some((name) => isModel(name, model, provider))) {
    return `the suite asks only ${models.join(", ")}`;
  }
  return undefined;
}

/**
 * The provider that the host reports and those that the model's name implies: a host may offer models of several
 * vendors (`copilot:claude-…`, `opencode:anthropic/…`).
 */
function providersOf({ provider, model = "" }: Identity): string[] {
  const [vendor, named] = model.includes("/")
    ? [model.slice(0, model.indexOf("/")), model.slice(model.lastIndexOf("/") + 1)]
    : [undefined, model];
  const made = VENDORS.find(([pattern]) => pattern.test(named))?.[1];
  return [provider, vendor, made].flatMap((one) => (one === undefined ? [] : [one.toLowerCase()]));
}

const VENDORS: readonly [RegExp, string][] = [
  [/^(?:claude|haiku|sonnet|opus|fable)\b/i, "anthropic"],
  [/^(?:gpt|chatgpt|codex|o\d)\b/i, "openai"],
  [/^(?:gemini|gemma)\b/i, "google"],
  [/^grok\b/i, "xai"],
  [/^composer\b/i, "cursor"],
  [/^qwen/i, "qwen"],
  [/^(?:mistral|codestral|devstral)/i, "mistral"],
  [/^deepseek/i, "deepseek"],
];

/** A case without a judge would cost money and get no verdict. */
export function lacksJudge(graders: readonly GraderSpec[], judge: string | undefined): string | undefined {
  const unjudged = graders.some((spec) => needsJudge(spec) && (spec.config as { model?: string }).model === undefined);
  if (judge !== undefined || !unjudged) return undefined;
  return "needs a judge, and none is set: --judge MODEL, or judge.model or defaults.model in the suite";
}

export function lacksResponder(question: Question, judge: string | undefined): string | undefined {
  const responder = question.kind === "case" ? question.responder : undefined;
  if (responder === undefined || !("instructions" in responder) || responder.model !== undefined || judge !== undefined)
    return undefined;
  return "its responder is a model, and none is set: --judge MODEL, or responder.model in the suite";
}

/**
 * `written` is `all`, a provider, `haiku`, `claude-haiku-4-5` or `anthropic/claude-haiku-4-5`. `gpt-5` is not
 * `gpt-5-mini`.
 */
function isModel(written: string, model: string, provider: string | undefined): boolean {
  if (written === "all" || written === provider) return true;
  const [a, b] = [written, model].map((name) =>
    name
      .toLowerCase()
      .replace(/^.*\//, "")
      .replace(/-\d{8}$/, ""),
  ) as [string, string];
  const isNickname = (short: string, long: string) => /^[a-z]+$/.test(short) && long.split("-").includes(short);
  return a === b || isNickname(a, b) || isNickname(b, a);
}

export function runsOf(
  question: Question,
  { suite, identity, options }: { suite: Suite; identity: Identity; options: ExamOptions },
): number {
  const { runs, confidence, maxRuns } = options;
  if (identity.deterministic) return 1;
  if (confidence !== undefined) return maxRuns;
  return (
    runs.flag ?? question.runs ?? suite.defaults.runs ?? (question.kind === "trigger" ? runs.triggers : runs.cases)
  );
}

export function notIts(suite: Suite, question: Question, { target }: PlannedTarget): string | undefined {
  const its = ownTargets(suite)[question.kind];
  if (its === undefined)
    return "its suite names no model to answer it: set `defaults.model` in eval.yml, or choose one with -t model:NAME";
  return its === target.id ? undefined : `the suite's own target is ${its}`;
}
