import { dirname, resolve } from "node:path";
import { kindAt, type Problem, relativePosix } from "../../base/index.ts";
import type { GraderSpec } from "../../model/index.ts";
import { type Document, get, items, type Node, text } from "../documents/index.ts";
import type { ReadContext } from "../format.ts";
import { graderOf, idleGraderKeys } from "../questions/cases.ts";
import { suiteProblem } from "../rules.ts";
import { above, rubricText } from "./rubrics.ts";
import { ignored } from "./settings.ts";

export interface WrittenGrader {
  spec: GraderSpec;
  at: Node;
}

/** File names are relative to the folder of `suiteFile`, the eval.yaml. */
export async function readGraders(list: Node | undefined, to: Omit<GraderPlace, "at">): Promise<WrittenGrader[]> {
  const graders: WrittenGrader[] = [];
  for (const at of items(list)) {
    to.problems.push(...idleGraderKeys(to.document, at));
    for (const written of graderOf(at)) graders.push({ spec: await asMeant({ ...to, at }, written), at });
  }
  return graders;
}

interface GraderPlace {
  document: Document;
  at: Node;
  suiteFile: string;
  context: ReadContext;
  problems: Problem[];
}

async function asMeant(place: GraderPlace, spec: GraderSpec): Promise<GraderSpec> {
  const config =
    typeof spec.config === "object" && spec.config !== null ? { ...(spec.config as Record<string, unknown>) } : {};
  switch (spec.type) {
    case "behavior":
    case "tool_constraint":
      return { ...spec, config: withoutZeros(place, config) };
    case "json_schema":
      return { ...spec, config: { extract_json: false, ...config } };
    case "program":
      reportAbove(place, config);
      return spec;
    case "prompt":
      return { ...spec, config: await withRubric(place, config) };
    default:
      return spec;
  }
}

/** In waza, 0 means no limit. */
function withoutZeros(
  { document, at, problems }: GraderPlace,
  config: Record<string, unknown>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(config).filter(([key, value]) => {
      if (!key.startsWith("max_") || value !== 0) return true;
      const fix =
        key === "max_tool_calls"
          ? "If no tool may be called, write a tool_calls grader with `max_calls: 0`."
          : "Delete it, or write a limit.";
      const message = `${key}: 0 is no limit in waza, and none here.`;
      problems.push(ignored(document, at, { message, fix, onlySaid: true }));
      return false;
    }),
  );
}

/**
 * A grader can read only its suite's folder and the workspace. A missing file would look like the examinee's failure.
 */
function reportAbove(
  { document, at, suiteFile, problems }: GraderPlace,
  { command, args }: Record<string, unknown>,
): void {
  const folder = dirname(suiteFile);
  const { within } = document;
  for (const word of [command, ...(Array.isArray(args) ? args : [])]) {
    if (
      typeof word !== "string" ||
      !/[/.]/.test(word) ||
      word.startsWith("-") ||
      kindAt(resolve(folder, word), within) === "file"
    )
      continue;
    const found = above(folder, within)
      .map((one) => resolve(one, word))
      .find((path) => kindAt(path, within) === "file");
    if (found === undefined) continue;
    problems.push(
      suiteProblem("suite/missing-file", {
        message: `The program's file "${word}" lies above the suite's folder, and a grader can read that folder alone.`,
        fix: `Copy ${relativePosix(process.cwd(), found)} to ${relativePosix(process.cwd(), resolve(folder, word))}.`,
        location: document.at(at),
      }),
    );
  }
}

/** Replaces a rubric's name or file by its text. If there is a prompt too, waza's judge gets only the prompt. */
async function withRubric(
  place: GraderPlace,
  { rubric, ...config }: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const { document, at, suiteFile, context, problems } = place;
  if (typeof rubric !== "string" || text(get(get(at, "config"), "prompt")) !== undefined || "prompt" in config)
    return config;
  const found = await rubricText(rubric, { document, folder: dirname(suiteFile), context });
  if (found.status === "text") return { ...config, prompt: found.text };
  problems.push(
    suiteProblem("suite/missing-file", {
      message: `The rubric "${rubric}" cannot be used: ${found.why}.`,
      fix: "Correct it, or write what to judge by into `prompt`.",
      location: document.at(at),
    }),
  );
  return { ...config, prompt: rubric };
}
