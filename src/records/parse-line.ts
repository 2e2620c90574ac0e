import { EVIDENCE } from "../transcripts/index.ts";
import { RECORD_VERSION, type RecordLine } from "./record-lines.ts";

/**
 * A line of a record, or what is wrong with it. Written by hand because a record has up to 200,000 lines and every score has to read them.
 * Unknown members are kept, and members that only people read are not checked.
 */
export function parseLine(text: string): RecordLine | string {
  let line: JsonMembers;
  try {
    line = JSON.parse(text) as JsonMembers;
  } catch {
    return "is damaged: it is not JSON";
  }
  if (typeof line !== "object" || line === null) return "is damaged: it is not an object";
  const wrong = fault(line);
  return wrong ?? (line as unknown as RecordLine);
}

type JsonMembers = Record<string, unknown>;

function fault(line: JsonMembers): string | undefined {
  switch (line["type"]) {
    case "header":
      return headerFault(line);
    case "question":
      return questionFault(line);
    case "trial":
      return trialFault(line);
    case "footer":
      return isText(line["endedAt"]) && isObject(line["notAsked"]) && isObject(line["saved"])
        ? undefined
        : "is a footer with missing members";
    default:
      return "is damaged: it is not a header, question, trial or footer";
  }
}

function headerFault({ version, run, library, targets, options, optionsFingerprint, suite }: JsonMembers): string | undefined {
  if (typeof version !== "number") return "is a header without a version";
  if (version > RECORD_VERSION)
    return `was written by a newer Proctor (record version ${version}; this one reads up to ${RECORD_VERSION}). Update Proctor to read it`;
  const whole =
    isText(run) && isObject(library) && isObject(suite) && Array.isArray(targets) && isObject(options) && isText(optionsFingerprint);
  if (!whole || !Array.isArray((library as JsonMembers)["skills"])) return "is a header with missing members";
  return (targets as unknown[]).every((target) => isObject(target) && isText(target["id"]) && isObject(target["identity"]))
    ? undefined
    : "is a header with a target that has no id or identity";
}

function questionFault({ id, kind, positive, ask, prompt, source, tags, runs, skipped }: JsonMembers): string | undefined {
  const whole = isText(id) && (kind === "trigger" || kind === "case") && typeof positive === "boolean" && isText(ask) && isText(prompt);
  return whole && isObject(source) && Array.isArray(tags) && isObject(runs) && isObject(skipped)
    ? undefined
    : "is a question with missing members";
}

const ENDS: unknown[] = ["completed", "max_turns", "stopped", "error"];

function trialFault({ target, ask, run, ms, how, activations, checks, attempts, error }: JsonMembers): string | undefined {
  if (!isText(target) || !isText(ask) || !Number.isInteger(run) || typeof ms !== "number" || !ENDS.includes(how))
    return "is a trial with missing members";
  if (!Array.isArray(activations) || !activations.every(isActivation)) return "is a trial with an unreadable activation";
  if (!Array.isArray(checks) || !checks.every(isCheck)) return "is a trial with an unreadable check";
  if (!Array.isArray(attempts)) return "is a trial without attempts";
  return (how === "error") === isObject(error) ? undefined : "is a trial whose error and end disagree";
}

function isActivation(value: unknown): boolean {
  return isObject(value) && isText(value["skill"]) && typeof value["turn"] === "number" && EVIDENCE.includes(value["evidence"] as never);
}

function isCheck(value: unknown): boolean {
  if (!isObject(value) || !isText(value["question"])) return false;
  const { passed, score } = value;
  return (passed === null || typeof passed === "boolean") && (score === null || typeof score === "number");
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isObject(value: unknown): value is JsonMembers {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
