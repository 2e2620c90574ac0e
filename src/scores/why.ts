import type { Evidence } from "../transcripts/index.ts";
import type { Sample } from "./question-tally.ts";
import type { QuestionScore } from "./scores.ts";

/** One line on why a question failed or has no verdict, from the evidence alone. */
export function whyLine(question: Omit<QuestionScore, "why">, sample: Sample | undefined, error: string | undefined): string | undefined {
  if (question.status === "skipped" || question.status === "invalid") return question.reason;
  if (question.verdict === "pass") return undefined;
  if (question.status === "not asked") return "It was not asked.";
  if (question.verdict === "inconclusive") return withoutVerdict(question, error);
  if (sample === undefined) return undefined;
  return sample.prediction === undefined ? fromTrials(question, sample) : fromPrediction(question, sample, sample.prediction);
}

function withoutVerdict({ errors, trials, planned, measured, hits, rate }: Omit<QuestionScore, "why">, error: string | undefined): string {
  if (errors > 0 && measured * 2 < planned)
    return `${errors} of ${trials} trials ended in an error${error === undefined ? "." : `: ${error}`}`;
  if (measured === 0) return "Nothing could be checked in its trials.";
  if (measured * 2 < planned) return `Only ${measured} of ${planned} planned trials were measured.`;
  const interval = rate.low === null || rate.high === null ? "" : ` [${rate.low.toFixed(2)}–${rate.high.toFixed(2)}]`;
  return `${hits} hits in ${measured} trials${interval}: the threshold is still inside the interval.`;
}

function fromPrediction(
  question: Omit<QuestionScore, "why">,
  sample: Sample,
  { needs, best, fired, expected }: NonNullable<Sample["prediction"]>,
): string {
  if (fired === undefined) {
    if (best === undefined) return `silent: no skill matches at all; ${needs.toFixed(2)} is needed.`;
    const other = expected !== undefined && expected.skill !== best.skill ? `; ${expected.skill} is at ${expected.score.toFixed(2)}` : "";
    return `silent: best match ${best.skill} ${best.score.toFixed(2)}, needs ${needs.toFixed(2)}${other}. ${shared((expected ?? best).words, "its description")}`;
  }
  const head = `${fired.skill} fired (${fired.score.toFixed(2)})`;
  if (expected === undefined || expected.skill === fired.skill) {
    return question.cause === "not_as_expected"
      ? `${sentence(sample.message)}`
      : `${head}, needs ${needs.toFixed(2)}. ${shared(fired.words, `the description of ${fired.skill}`)}`;
  }
  const gap = fired.score - expected.score;
  const which = question.role === "negative" ? `${expected.skill}, which should win,` : expected.skill;
  const distance = gap > 0 ? `is ${gap.toFixed(2)} behind` : gap < 0 ? `is ${(-gap).toFixed(2)} ahead` : "is level with it";
  return `${head}; ${which} ${distance}. ${shared(fired.words, `the description of ${fired.skill}`)}`;
}

function shared(words: string[], where: string): string {
  return words.length === 0 ? `No word of the query is in ${where}.` : `Shared words: ${words.join(", ")}.`;
}

function fromTrials(question: Omit<QuestionScore, "why">, sample: Sample): string {
  const { cause, causes, fired, measured } = question;
  const trials = cause === undefined ? 0 : (causes[cause] ?? 0);
  const wrong = Object.entries(causes).reduce((sum, [each, n]) => sum + (each === "error" ? 0 : n), 0);
  const often = trials === wrong ? "" : ` in ${trials} of ${measured} trials`;
  const missing = sample.missing.join(", ");
  const first = fired[0];
  switch (cause) {
    case "not_shown":
      return sample.shown === "bare"
        ? `The model was shown the name of ${missing} only, not its description${often}.`
        : `The model was not shown ${missing} at all${often}.`;
    case "refused":
      return `The model reached for ${missing}, and the host refused to load it${often}.`;
    case "sibling":
      return first === undefined
        ? `A sibling won${often}.`
        : `${first.skill} ${verb(first.evidence)} instead, on turn ${first.turn}${often}.`;
    case "asked_back":
      return `The examinee asked a question back instead${often}.`;
    case "unused":
      return `No skill was used${often}.`;
    case "misfire":
      return first === undefined ? sentence(sample.message) : `${first.skill} ${verb(first.evidence)} on turn ${first.turn}${often}.`;
    default:
      return `${sentence(sample.message).replace(/\.$/, "")}${often}.`;
  }
}

function verb(evidence: Evidence): string {
  switch (evidence) {
    case "loaded":
      return "was loaded";
    case "read":
      return "was read";
    case "called":
      return "was called";
    default:
      return "fired";
  }
}

function sentence(message: string): string {
  const text = message.trim();
  return text === "" || /[.!?]$/.test(text) ? text : `${text}.`;
}
