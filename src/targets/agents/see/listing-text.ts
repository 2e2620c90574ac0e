import { strings } from "../../../hosts/reading/jsonl.ts";

/** The part of a first request that tells the model of skills, letter for letter; undefined when there is none. */
export function listingText(request: unknown): string | undefined {
  for (const words of strings(request)) {
    const found = forms.map((form) => form.exec(words)?.[0]).find((text) => text !== undefined);
    if (found !== undefined) return found.trim();
  }
  return undefined;
}

/** Claude Code's, Codex's, and what the others write. Prose that mentions such a block, or an empty one, is no listing. */
const forms = [
  /The following skills are available for use with the Skill tool:\s+[\s\S]*?(?=\n\s*\n|\n<\/|$)/,
  /^<skills_instructions>\n## Skills[\s\S]*$/,
  /<available_skills>\s*<skill>[\s\S]*?<\/available_skills>/,
];
