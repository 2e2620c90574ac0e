import { basename, dirname } from "node:path";
import { headerOf, isDocumentation, listLabel, normalKey, syntaxOf } from "../../formats/index.ts";

const knownNames = /^(?:triggers\.(?:json|jsonc|ya?ml)|evals\.(?:json|jsonc|ya?ml)|eval\.ya?ml|trigger_tests\.ya?ml)$/i;
const otherNames =
  /^(?:package(?:-lock)?|tsconfig.*|composer|deno|biome|renovate|marketplace|plugin|hooks|settings.*|\.?mcp|openapi|swagger)\.jsonc?$|^(?:SKILL|README|CHANGELOG|AGENTS|CLAUDE|GEMINI|CONTRIBUTING|LICENSE)\.(?:md|txt)$|-lock\.ya?ml$|\.schema\.json$/i;
/** What GitHub reads; a skill may live in another folder there. */
const otherPlaces = /[\\/]\.github[\\/](?:workflows|ISSUE_TEMPLATE|actions|instructions)[\\/]/i;
const promptPlaces = /trigger|eval|prompt|routing|activation/i;

/** By its name alone, may this file be a suite? */
export function mayBeSuite(file: string): boolean {
  const syntax = syntaxOf(file);
  const name = basename(file);
  if (syntax === undefined || otherNames.test(name) || otherPlaces.test(file)) return false;
  if (syntax === "text") return /[\\/](?:prompts|triggers|queries|positives?|negatives?)[\\/]/.test(file);
  return syntax !== "markdown" || (promptPlaces.test(file.slice(-120)) && !isDocumentation(file));
}

export function isKnownName(file: string): boolean {
  return knownNames.test(basename(file));
}

/** Does its path suggest a suite, so that an error in it should be reported? The material of a question may well be broken on purpose. */
export function looksLikeSuite(file: string): boolean {
  const [folders, name] = [dirname(file), basename(file)];
  if (
    /[\\/](?:files|fixtures|assets|inputs|results?|reports?|logs?|outputs?|workspaces?|transcripts?|runs)(?:[\\/]|$)/i.test(
      folders,
    )
  )
    return false;
  if (isKnownName(file)) return true;
  return (
    !/result|output|transcript|grading|benchmark|history|timing|metrics|report/i.test(name) &&
    (/trigger|routing|activation|^promptfooconfig\./i.test(name) || /[\\/]\.?evals?(?:[\\/]|$)/i.test(folders))
  );
}

const prompts =
  /(?:query|queries|prompt|question|utterance|phrase|request|input|task|message|user|text|ask|example|instruction|sentence|\bq\b|vars|should|positive|negative)s?\w{0,40}["'*]?\s{0,40}[:|,\t;\n]/i;
const labels =
  /should|expect|activat|trigger|correct|answer|target|label|want|route|owner|winner|gold|positive|negative|forbidden|disallowed|distractor|acceptable|skill/i;

/** A cheap look at the text before it is parsed: something like a prompt's key and something like a label's. */
export function smellsLikeSuite(file: string, text: string): boolean {
  if (isKnownName(file) || /^case\.ya?ml$/i.test(basename(file))) return true;
  const name = basename(file);
  switch (syntaxOf(file)) {
    case "text":
      return true;
    case "csv": {
      const header = headerOf(text);
      return prompts.test(`${header},`) && labels.test(header);
    }
    case "markdown":
      if (name === "prompt.md") return true;
      return /^(?:#{1,6}|\*\*|__).{0,400}\b(?:should|must|will|won|positives?|negatives?|triggers?|scope)\b|^.{0,60}\btriggers?:\s*$|\|[^|\n]{0,200}(?:prompt|query|phrase)[^|\n]{0,200}\|/im.test(
        text,
      );
    default:
      if (looksLikeSuite(file) || listLabel(normalKey(name.replace(/\.[^.]+$/, ""))) !== undefined) return true;
      return prompts.test(text) && labels.test(text);
  }
}
