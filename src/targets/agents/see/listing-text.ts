import { strings } from "../../../hosts/reading/index.ts";

/** The part of a first request that tells the model of skills, letter for letter; undefined when there is none. */
export function listingText(request: unknown, form: RegExp): string | undefined {
  for (const words of strings(request)) {
    const found = form.exec(words)?.[0];
    if (found !== undefined) return found.trim();
  }
  return undefined;
}
