import { RECORD_VERSION, type RecordLine } from "../../../model/index.ts";
import { footerShape, headerShape, questionShape, trialShape } from "./line-shapes.ts";
import { isObject, type Shape } from "./shape.ts";

/**
 * Returns a line of a record, or what is wrong with it. The shapes are hand-written for speed: a record has up to
 * 500,000 lines, and every score reads them. Unknown members are kept.
 */
export function parseLine(text: string): RecordLine | string {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    return "is damaged: it is not JSON";
  }
  if (!isObject(line)) return "is damaged: it is not an object";
  return lineFault(line) ?? (line as unknown as RecordLine);
}

const SHAPES: Record<string, Shape> = {
  header: headerShape,
  question: questionShape,
  trial: trialShape,
  footer: footerShape,
};

function lineFault(line: Record<string, unknown>): string | undefined {
  const type = String(line["type"]);
  const shape = Object.hasOwn(SHAPES, type) ? SHAPES[type] : undefined;
  if (shape === undefined) return "is damaged: it is not a header, question, trial or footer";
  const version = type === "header" ? versionFault(line["version"]) : undefined;
  if (version !== undefined) return version;
  const fault = shape(line);
  return fault === undefined ? undefined : `is damaged: its ${shown(type, fault)}`;
}

function versionFault(version: unknown): string | undefined {
  if (typeof version !== "number") return "is a header without a version";
  return version > RECORD_VERSION
    ? `was written by a newer Proctor (record version ${version}; this one reads up to ${RECORD_VERSION}). Update Proctor to read it`
    : undefined;
}

/**
 * `.attempts[0].ms is not …` becomes `trial's attempts[0].ms is not …`. A member's name may be anything, so it is cut.
 */
function shown(type: string, fault: string): string {
  return `${type}'s ${fault.replace(/^\./, "").slice(0, 200)}`;
}
