import { readText } from "../../base/index.ts";
import type { Case } from "../../model/index.ts";

export interface RenderedPrompt {
  prompt: string;
  missing: string[];
  unused: string[];
}

/** Fills `{{name}}` in one pass, so that a value is never itself read as a template. */
export function renderTemplate({ file, within, inputs, defaults = {} }: NonNullable<Case["template"]>): RenderedPrompt {
  const missing = new Set<string>();
  const used = new Set<string>();
  const prompt = readTemplate(file, within).replace(/\{\{\s*([^{}\s]+)\s*\}\}/g, (place, name: string) => {
    used.add(name);
    if (Object.hasOwn(inputs, name)) return asText(inputs[name]);
    if (Object.hasOwn(defaults, name)) return asText(defaults[name]);
    missing.add(name);
    return place;
  });
  return { prompt, missing: [...missing], unused: Object.keys(inputs).filter((name) => !used.has(name)) };
}

function asText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
}

function readTemplate(file: string, within: string): string {
  const read = readText(file, { within });
  return read.status === "text" ? read.text.replace(/^\uFEFF/, "") : "";
}
