import { contentOf, type Transcript, toolKind } from "../../model/index.ts";
import type { GradingContext } from "../grader.ts";

const MOST_OF_FILE = 6_000;
const MOST_OF_FILES = 40_000;
const MOST_CALLS = 100;
const MOST_OF_REPLY = 60_000;

export function material(
  transcript: Transcript,
  { prompt, expectedOutput }: Pick<GradingContext, "prompt" | "expectedOutput">,
  asked: string,
): string {
  const left = files(transcript);
  return [
    `TASK:\n${prompt}`,
    ...(expectedOutput === undefined || expectedOutput.trim() === ""
      ? []
      : [`A GOOD ANSWER, BY THE AUTHOR OF THE TASK:\n${expectedOutput}`]),
    asked,
    `ACTIONS:\n${actions(transcript)}`,
    ...(left === undefined ? [] : [`FILES LEFT BEHIND:\n${left}`]),
    `REPLY:\n${cut(transcript.finalText, MOST_OF_REPLY)}`,
  ].join("\n\n");
}

function actions({ calls }: Transcript): string {
  if (calls.length === 0) return "(none)";
  const shown = calls.slice(0, MOST_CALLS).map(({ tool, input, ok, result }) => {
    const kind = toolKind(tool, input);
    const what = kind === "other" || kind === tool ? tool : `${tool} (${kind})`;
    const said =
      result === undefined || result.trim() === "" ? "" : `\n  ${cut(result.trim(), 300).replaceAll("\n", "\n  ")}`;
    return `- ${what} ${JSON.stringify(input)?.slice(0, 300) ?? ""}${ok === false ? " (failed)" : ""}${said}`;
  });
  return [...shown, ...(calls.length > MOST_CALLS ? [`- and ${calls.length - MOST_CALLS} more`] : [])].join("\n");
}

function files({ workspace }: Transcript): string | undefined {
  if (workspace === undefined) return undefined;
  const changed = workspace.files.filter(({ change, kind }) => change !== "same" && kind !== "folder");
  if (changed.length === 0) return "(none was added or changed)";
  let room = MOST_OF_FILES;
  return changed
    .map((file) => {
      const { path, change, text, bytes } = file;
      if (text === undefined)
        return `- ${path} (${change}${change === "removed" || contentOf(file) === undefined ? "" : `, ${bytes} bytes, not text`})`;
      const shown = cut(text, Math.min(MOST_OF_FILE, room));
      room = Math.max(0, room - shown.length);
      return `- ${path} (${change})\n<<<\n${shown}\n>>>`;
    })
    .join("\n");
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}\n… (${text.length - most} more characters)`;
}
