import { basename, dirname, join, resolve } from "node:path";
import { isWithin, kindAt, type Problem } from "../../base/index.ts";
import type { NamesNear } from "../../exam/find/index.ts";
import type { GraderSpec, QuestionFile, Suite } from "../../model/index.ts";
import {
  boolean,
  type Document,
  get,
  items,
  type MapNode,
  type Node,
  number,
  text,
  texts,
} from "../documents/index.ts";
import type { Format } from "../format.ts";
import { graderOf } from "../questions/cases.ts";
import { expectation } from "../questions/expect.ts";
import { faultsIn, hostFile, readFields, runsOf } from "../questions/fields.ts";
import { expectOf } from "../questions/native.ts";
import { besideCase, emptySuite, makeCase, makeTrigger } from "../questions/question.ts";
import { filesBelow } from "../questions/staged-folders.ts";
import { suiteProblem } from "../rules.ts";

/**
 * assay's suites: `target.skill`, and cases that expect it to be `triggered` or name a `winner`. Assertions also make a
 * case.
 */
export const assay: Format = {
  id: "assay",
  recognises: ({ root }) =>
    skillOf(root) !== undefined && casesOf(root).some((item) => get(item, "expect")?.type === "map"),
  read(document, { names }) {
    const { root } = document;
    const suite = emptySuite(document.file, assay.id);
    suite.skill = names.idOf(skillOf(root) ?? "");
    suite.defaults.runs = runsOf(document, get(root, "runs"), suite.problems);
    const instructions = get(get(root, "context"), "instructions");
    if (instructions !== undefined)
      suite.problems.push(
        suiteProblem("suite/ignored-setting", {
          severity: "warning",
          message: "context.instructions has no effect here: these cases are asked without those instructions.",
          fix: "proctor run --with-context stages the project's own CLAUDE.md and AGENTS.md.",
          location: document.at(instructions),
        }),
      );
    for (const item of casesOf(root)) readCase(item, { document, suite, names });
    return suite;
  },
};

function skillOf(root: Node): string | undefined {
  return text(get(get(root, "target"), "skill"));
}

function casesOf(root: Node): MapNode[] {
  return items(get(root, "cases")).filter((item) => item.type === "map");
}

function readCase(
  item: MapNode,
  { document, suite, names }: { document: Document; suite: Suite; names: NamesNear },
): void {
  const prompt = text(get(item, "prompt"));
  if (prompt === undefined || prompt.trim() === "") {
    suite.problems.push(
      suiteProblem("suite/invalid", {
        message: "This case has no prompt.",
        fix: "Add `prompt`.",
        location: document.at(item),
      }),
    );
    return;
  }
  const { skill } = suite;
  const expect = get(item, "expect");
  const triggered = boolean(get(expect, "triggered"));
  const winner = expectOf(get(expect, "winner"));
  const forbidden = texts(get(expect, "not_triggered")).map(names.idOf);
  const fields = readFields(document, item, suite.problems);
  const own: Problem[] = [...(fields.faults ?? [])];
  const files = [...fields.files, ...fixturesOf(document, get(get(item, "setup"), "fixtures"), own)];
  suite.problems.push(...own.filter((problem) => !suite.problems.includes(problem)));
  const common = { ...fields, files, faults: faultsIn(own), skill, source: document.at(item) };
  const graders = items(get(expect, "assertions")).flatMap((node) => ownGrader(node) ?? graderOf(node));
  const id = graders.length > 0 ? besideCase(fields.id) : fields.id;
  // Any of several winners is right.
  const [first, ...others] = winner === undefined || winner === "none" ? [] : winner.map(names.idOf);
  if (triggered !== undefined || winner !== undefined || forbidden.length > 0) {
    const wins = first === undefined ? {} : { expect: [first], alsoFine: others };
    const shouldTrigger = first !== undefined && triggered === true && first !== skill ? undefined : triggered;
    const label = {
      skill,
      shouldTrigger,
      forbidden,
      nobody: winner === "none" ? ("stated" as const) : undefined,
      ...wins,
    };
    suite.triggers.push(makeTrigger({ ...common, id, query: prompt, expect: expectation(label) }));
  }
  if (graders.length > 0) suite.cases.push(makeCase({ ...common, prompt, graders }));
}

function ownGrader(node: Node): GraderSpec[] | undefined {
  const [type, path, tool] = [text(get(node, "type")), text(get(node, "path")), text(get(node, "tool"))];
  if (type === "file_content_matches" && path !== undefined) {
    const flags = (text(get(node, "flags")) ?? "").replaceAll(/[^ims]/g, "");
    const pattern = `(?${flags}${flags.includes("m") ? "" : "-m"})${text(get(node, "matches")) ?? ""}`;
    return [{ type: "regex", config: { path, pattern } }];
  }
  const rule = type === "trace" ? text(get(node, "rule")) : undefined;
  if (rule === "tool_called" && tool !== undefined && (number(get(node, "min_times")) ?? 1) === 1)
    return [{ type: "behavior", config: { required_tools: [tool] } }];
  if (rule === "tool_sequence")
    return [
      {
        type: "action_sequence",
        config: { matching_mode: "in_order_match", expected_actions: texts(get(node, "tools")) },
      },
    ];
  return undefined;
}

function fixturesOf(document: Document, node: Node | undefined, problems: Problem[]): QuestionFile[] {
  const written = text(node);
  if (node === undefined || written === undefined) return [];
  const { within } = document;
  const folder = resolve(dirname(document.file), written);
  const complain = (code: "suite/file-escapes" | "suite/missing-file", message: string, fix: string) => {
    problems.push(suiteProblem(code, { message, fix, location: document.at(node) }));
    return [];
  };
  const kind = isWithin(within, folder) ? kindAt(folder, within) : "outside";
  if (kind === "outside")
    return complain(
      "suite/file-escapes",
      `The folder "${written}" lies outside the examined folder, so it is not staged.`,
      "Put the files next to the suite.",
    );
  if (kind === "file") return [{ path: basename(folder), from: folder, within }];
  if (kind !== "folder")
    return complain(
      "suite/missing-file",
      `There is no folder "${written}", so this question cannot be asked as intended.`,
      "Add it, or correct `fixtures`.",
    );
  const found = filesBelow(folder, within);
  if (!Array.isArray(found))
    return complain(
      found.why.startsWith("leads") ? "suite/file-escapes" : "suite/missing-file",
      `The folder "${written}" cannot be staged: ${found.path || "it"} ${found.why}.`,
      "Put regular files there.",
    );
  return found.sort().flatMap((path): QuestionFile[] => {
    const refused = hostFile(document, node, path);
    if (refused === undefined) return [{ path, from: join(folder, path), within }];
    problems.push(refused);
    return [];
  });
}
