import type { Evidence, QuestionScore } from "../../../model/index.ts";
import type { Sample } from "../tallies/failed-trial.ts";

type ScoredQuestion = Omit<QuestionScore, "why">;

interface WhyEvidence {
  sample: Sample | undefined;
  error: string | undefined;
  open: string | undefined;
  locked: ReadonlySet<string>;
}

export function whyLine(question: ScoredQuestion, { sample, error, open, locked }: WhyEvidence): string | undefined {
  if (question.status === "skipped" || question.status === "invalid") return question.reason;
  if (question.verdict === "pass") return undefined;
  if (question.status === "not asked") return "It was not asked.";
  if (question.verdict === "inconclusive") return withoutVerdict(question, error, open);
  const closed = question.expected.find((skill) => locked.has(skill));
  if (closed !== undefined)
    return `${closed} has disable-model-invocation: hosts that honour it never offer it to a model.`;
  if (sample === undefined) return undefined;
  const why =
    sample.prediction === undefined
      ? fromTrials(question, sample)
      : fromPrediction(question, sample, sample.prediction);
  return sample.reason === undefined ? why : `${why} The judge: ${sentence(sample.reason)}`;
}

function withoutVerdict(question: ScoredQuestion, error: string | undefined, open: string | undefined): string {
  const { errors, trials, planned, measured, hits, rate } = question;
  if (errors > 0 && measured * 2 < planned)
    return `${errors} of ${trials} trials ended in an error${error === undefined ? "." : `: ${error}`}`;
  if (measured === 0)
    return open === undefined
      ? "Nothing could be checked in its trials."
      : `It could not be decided: ${sentence(open)}`;
  if (measured * 2 < planned)
    return `${measured} of ${planned} runs ${measured === 1 ? "is" : "are"} measured; a verdict needs ${Math.ceil(planned / 2)}.`;
  const interval = rate.low === null || rate.high === null ? "" : ` [${rate.low.toFixed(2)}–${rate.high.toFixed(2)}]`;
  return `${hits} hits in ${measured} trials${interval}: the threshold is still inside the interval.`;
}

function fromPrediction(question: ScoredQuestion, sample: Sample, prediction: SampledPrediction): string {
  const { best, fired, expected } = prediction;
  if (fired === undefined) return silence(sample, prediction);
  const head = `${fired.skill === question.skill ? "It" : fired.skill} fires (${score(fired.score)})`;
  if (expected === undefined || expected.skill === fired.skill) {
    if (question.cause === "not_as_expected")
      return `${head}; ${sentence(sample.message.replace(" fired, ", " fires too, "))}`;
    const silent = sample.missing[0] === undefined ? "" : `; ${sample.missing[0]} is not among the nearest`;
    const behind =
      best === undefined || best.score <= fired.score ? "" : `, behind ${best.skill} (${score(best.score)})`;
    return `${head}${behind}${silent}. ${sharedWords(fired)}`;
  }
  if (sample.missing.length === 0)
    return `${head} beside ${expected.skill} (${score(expected.score)}). ${sharedWords(fired)}`;
  const is = question.role === "negative" ? `should win (${score(expected.score)})` : `is ${score(expected.score)}`;
  const excluded = expected.excluded === true ? ", excluded by its card or by the prompt" : "";
  return `${head}; ${expected.skill} ${is}${excluded}. ${sharedWords(fired)}`;
}

type SampledPrediction = NonNullable<Sample["prediction"]>;
type BestSkill = NonNullable<SampledPrediction["best"]>;

function silence({ missing }: Sample, { best, expected, needs }: SampledPrediction): string {
  if (best === undefined) return "No card shares anything with the prompt.";
  const nearest = `No skill fires: ${best.skill} is nearest (${score(best.score)}, needs ${score(needs)})`;
  if (expected?.skill === best.skill) return `${nearest}. ${sharedWords(best)}`;
  if (expected !== undefined)
    return `No skill fires: ${expected.skill} ${score(expected.score)}, ${best.skill} ${score(best.score)}, needs ${score(needs)}. ${sharedWords(expected)}`;
  return missing[0] === undefined ? `${nearest}.` : `${nearest}; ${missing[0]} is further off.`;
}

function sharedWords({ skill, words }: BestSkill): string {
  return words.length === 0 ? `No word of the prompt is on the card of ${skill}.` : `Shared: ${words.join(", ")}.`;
}

function score(value: number): string {
  return value.toFixed(2);
}

function fromTrials(question: ScoredQuestion, sample: Sample): string {
  const { cause, causes, fired, measured } = question;
  const trials = cause === undefined ? 0 : (causes[cause] ?? 0);
  const wrong = Object.entries(causes).reduce((sum, [each, n]) => sum + (each === "error" ? 0 : n), 0);
  const often = trials === wrong ? "" : ` in ${trials} of ${measured} trials`;
  const missing = sample.missing.join(", ");
  const first = fired[0];
  switch (cause) {
    case "not_shown":
      return sample.shown === "bare"
        ? `The model was shown only the name of ${missing}, not its description${often}.`
        : `The model was not shown ${missing} at all${often}.`;
    case "refused":
      return `The model reached for ${missing}, and the host refused to load it${often}.`;
    case "sibling":
      if (first === undefined) return `A sibling won${often}.`;
      return question.role === "positive"
        ? `${first.skill} ${verb(first.evidence)} instead, on turn ${first.turn}${often}.`
        : `${first.skill} ${verb(first.evidence)} on turn ${first.turn}; ${missing}, which should win, did not fire${often}.`;
    case "asked_back":
      return `The examinee asked a question back instead${often}.`;
    case "unused":
      return `No skill was used${often}.`;
    case "misfire":
      return first === undefined
        ? sentence(sample.message)
        : `${first.skill} ${verb(first.evidence)} on turn ${first.turn}${often}.`;
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
