import { basename, dirname } from "node:path";
import { type Document, headerOf, isDocumentation, syntaxOf } from "../documents/index.ts";
import { isData, type ReadContext } from "../format.ts";
import { listLabel, normalKey } from "./label-words.ts";

const promptPlaces = /trigger|eval|prompt|routing|activation/i;

export function mayHoldRows(path: string): boolean {
  if (syntaxOf(path) !== "markdown") return isData(path);
  return promptPlaces.test(path.slice(-120)) && !isDocumentation(path);
}

const knownNames = /^(?:triggers\.(?:json|jsonc|ya?ml)|evals\.(?:json|jsonc|ya?ml)|eval\.ya?ml|trigger_tests\.ya?ml)$/i;

export function isKnownName(file: string): boolean {
  return knownNames.test(basename(file));
}

const otherFolders =
  /[\\/](?:files|fixtures|assets|inputs|results?|reports?|logs?|outputs?|workspaces?|transcripts?|runs)(?:[\\/]|$)/i;
const otherNames = /result|output|transcript|grading|benchmark|history|timing|metrics|report/i;

export function isLikelySuite(path: string): boolean {
  const [folders, name] = [dirname(path), basename(path)];
  if (otherFolders.test(folders)) return false;
  if (isKnownName(path)) return true;
  return (
    !otherNames.test(name) &&
    (/trigger|routing|activation|^promptfooconfig\./i.test(name) || /[\\/]\.?evals?(?:[\\/]|$)/i.test(folders))
  );
}

const prompts =
  /(?:query|queries|prompt|question|utterance|phrase|request|input|task|message|user|text|ask|example|instruction|sentence|\bq\b|vars|should|positive|negative)s?\w{0,40}["'*]?\s{0,40}[:|,\t;\n]/i;
const labels =
  /should|expect|activat|trigger|correct|answer|target|label|want|route|owner|winner|gold|positive|negative|forbidden|disallowed|distractor|acceptable|skill/i;
const labelledPage =
  /^(?:#{1,6}|\*\*|__).{0,400}\b(?:should|must|will|won|positives?|negatives?|triggers?|scope)\b|^.{0,60}\btriggers?:\s*$|\|[^|\n]{0,200}(?:prompt|query|phrase)[^|\n]{0,200}\|/im;

export function hasPromptsAndLabels(
  { file, syntax, text }: Document,
  { names, isNamed }: Pick<ReadContext, "names" | "isNamed">,
): boolean {
  if (isNamed || isKnownName(file)) return true;
  switch (syntax) {
    case "text":
      return false;
    case "csv": {
      const header = headerOf(text);
      return prompts.test(`${header},`) && labels.test(header);
    }
    case "markdown":
      return labelledPage.test(text);
    default:
      if (isLikelySuite(names.path) || listLabel(normalKey(basename(file).replace(/\.[^.]+$/, ""))) !== undefined)
        return true;
      return prompts.test(text) && labels.test(text);
  }
}
