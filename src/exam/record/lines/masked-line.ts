import type { Mask } from "../../../base/index.ts";
import type {
  HeaderLine,
  QuestionLine,
  RecordLine,
  Transcript,
  TrialLine,
  WorkspaceFiles,
} from "../../../model/index.ts";
import { parseLine } from "./parse-line.ts";

/**
 * The JSON of a line with secrets in its free text masked. Names, ids, enumerated words, fingerprints and numbers are
 * never changed. The result is parsed before it is written: an optional member that no reader could read is left out,
 * and `leftOut` names it.
 */
export function maskedLine(line: RecordLine, mask: Mask): string {
  const json = JSON.stringify(line);
  // There is hardly ever a secret, so the whole text is searched first.
  const text = mask(json) === json ? json : JSON.stringify(maskLine(line, mask));
  const fault = faultOf(text);
  return fault === undefined ? text : withoutFault(JSON.parse(text) as JsonMembers, fault);
}

export function maskedTranscript<Around extends { transcript: Transcript }>(value: Around, mask: Mask): string {
  const json = JSON.stringify(value);
  return isClean(json, value.transcript, mask)
    ? json
    : JSON.stringify({ ...value, transcript: maskTranscript(value.transcript, mask) });
}

/** True if there is no secret in the JSON, nor in a binary file of this transcript. */
export function isClean(json: string, { workspace }: Transcript, mask: Mask): boolean {
  return mask(json) === json && !workspace?.files.some(({ base64 }) => base64 !== undefined && hasSecret(base64, mask));
}

function maskLine(line: RecordLine, mask: Mask): RecordLine {
  switch (line.type) {
    case "header":
      return { ...maskHeader(line, mask), library: maskLibrary(line.library, mask) };
    case "question":
      return maskQuestion(line, mask);
    case "trial":
      return maskTrial(line, mask);
    case "footer":
      return line;
  }
}

/** Also for a header that is compared with a stored one. */
export function maskHeader<Header extends Pick<HeaderLine, "targets" | "options">>(line: Header, mask: Mask): Header {
  const targets = line.targets.map((target) => ({
    ...target,
    ...masked(target, ["note"], mask),
    identity: maskIdentity(target.identity, mask),
  }));
  return { ...line, targets, options: maskValues(line.options, mask) as HeaderLine["options"] };
}

function maskLibrary(library: HeaderLine["library"], mask: Mask): HeaderLine["library"] {
  return { ...library, skills: library.skills.map((skill) => ({ ...skill, ...masked(skill, ["description"], mask) })) };
}

export function maskIdentity(identity: HeaderLine["targets"][number]["identity"], mask: Mask): typeof identity {
  return {
    ...identity,
    ...masked(identity, ["endpoint"], mask),
    options: maskValues(identity.options, mask) as Record<string, unknown>,
  };
}

function maskQuestion(line: QuestionLine, mask: Mask): QuestionLine {
  return {
    ...line,
    ...masked(line, ["prompt", "invalid"], mask),
    skipped: maskValues(line.skipped, mask) as QuestionLine["skipped"],
  };
}

function maskTrial(line: TrialLine, mask: Mask): TrialLine {
  const { activations, attempts, checks, error, prediction } = line;
  return {
    ...line,
    ...masked(line, ["askedBecause", "reason"], mask),
    activations: activations.map((activation) => ({ ...activation, ...masked(activation, ["agent"], mask) })),
    checks: checks.map((check) => maskCheck(check, mask)),
    attempts: attempts.map((attempt) => ({
      ...attempt,
      error: attempt.error && maskError(attempt.error, mask),
    })),
    error: error && maskError(error, mask),
    prediction: prediction && maskPrediction(prediction, mask),
  };
}

export function maskCheck(check: TrialLine["checks"][number], mask: Mask): typeof check {
  const parts = check.parts?.map((part) => ({ ...part, ...masked(part, ["message", "evidence"], mask) }));
  return { ...check, message: mask(check.message), parts };
}

/** A binary file that contains a secret is not kept. */
function maskFiles({ files, ...rest }: WorkspaceFiles, mask: Mask): WorkspaceFiles {
  const kept = files.map(({ base64, ...file }) => ({
    ...file,
    base64: base64 === undefined || hasSecret(base64, mask) ? undefined : base64,
  }));
  return { ...rest, files: kept.map((file) => ({ ...file, ...masked(file, ["text", "before"], mask) })) };
}

function hasSecret(base64: string, mask: Mask): boolean {
  const text = Buffer.from(base64, "base64").toString("utf8");
  return mask(text) !== text;
}

/** Also for a transcript that leaves the machine it was made on. */
export function maskTranscript(transcript: Transcript, mask: Mask): Transcript {
  const { outcome, calls, texts, finalText, activations, prediction, workspace } = transcript;
  return {
    ...transcript,
    outcome: outcome.status === "error" ? { ...outcome, error: maskError(outcome.error, mask) } : outcome,
    activations: activations.map((activation) => ({ ...activation, ...masked(activation, ["agent"], mask) })),
    // The keys of a tool's input are made up by the model, so they are masked too.
    calls: calls.map((call) => ({
      ...call,
      ...masked(call, ["result", "agent"], mask),
      input: maskDeep(call.input, mask),
    })),
    texts: texts.map((text) => ({ ...text, ...masked(text, ["text", "agent"], mask) })),
    finalText: mask(finalText),
    workspace: workspace && maskFiles(workspace, mask),
    prediction: prediction && maskPrediction(prediction, mask),
  };
}

function maskError<Err extends { message: string }>(error: Err, mask: Mask): Err {
  return { ...error, message: mask(error.message) };
}

function maskPrediction(prediction: NonNullable<TrialLine["prediction"]>, mask: Mask): typeof prediction {
  return { ...prediction, ranking: prediction.ranking.map((ranked) => ({ ...ranked, words: ranked.words.map(mask) })) };
}

function masked<Value extends object>(value: Value, members: readonly (keyof Value)[], mask: Mask): Partial<Value> {
  const texts = members.flatMap((member) => (typeof value[member] === "string" ? [[member, mask(value[member])]] : []));
  return Object.fromEntries(texts) as Partial<Value>;
}

/** Masks every text in a value, but no key. */
function maskValues(value: unknown, mask: Mask): unknown {
  if (typeof value === "string") return mask(value);
  if (Array.isArray(value)) return value.map((member) => maskValues(member, mask));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, maskValues(member, mask)]));
}

function maskDeep(value: unknown, mask: Mask): unknown {
  if (typeof value === "string") return mask(value);
  if (Array.isArray(value)) return value.map((member) => maskDeep(member, mask));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [mask(name), maskDeep(member, mask)]));
}

function faultOf(line: unknown): string | undefined {
  const parsed = parseLine(typeof line === "string" ? line : JSON.stringify(line));
  return typeof parsed === "string" ? parsed : undefined;
}

const OPTIONAL = new Set([
  "judged",
  "usage",
  "costUsd",
  "resources",
  "listing",
  "prediction",
  "askedBecause",
  "cached",
  "askedBack",
  "costEstimated",
]);

/**
 * A target may report a cost that is not a number, for example. The trial then counts without that member. A line that
 * still cannot be read is a bug of ours.
 */
function withoutFault(line: JsonMembers, first: string): string {
  for (let fault: string | undefined = first; fault !== undefined; fault = faultOf(line)) {
    const [, attempt, member = ""] = /trial's (?:attempts\[(\d+)\]\.)?(\w+)/.exec(fault) ?? [];
    const holder = attempt === undefined ? line : (line["attempts"] as JsonMembers[])[Number(attempt)];
    if (holder === undefined || !OPTIONAL.has(member) || !(member in holder))
      throw new Error(`A line of the record ${fault}`);
    delete holder[member];
    line["leftOut"] ??= member;
  }
  return JSON.stringify(line);
}

type JsonMembers = Record<string, unknown>;
