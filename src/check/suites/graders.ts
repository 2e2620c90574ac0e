import { dirname } from "node:path";
import { didYouMean, isSlip, noteText, type Problem, problemsBy, type Rule } from "../../base/index.ts";
import { namesOf } from "../../exam/find/index.ts";
import { checksNothing, inlineSchemas, suiteProblem, unknownName } from "../../formats/index.ts";
import { checkGrader, graderTypes, isGraderType, nativeSpelling } from "../../graders/index.ts";
import type { Case, GraderSpec, Library, Suite } from "../../model/index.ts";

export const graderRules = {
  "suite/forbidden-tools-skill": { severity: "warning", title: "forbidden_tools: [skill] forbids every skill" },
  "suite/grader-spelling": { severity: "info", title: "A grader has an older spelling" },
  "suite/nothing-to-check": { severity: "error", title: "A question has nothing to check" },
} as const satisfies Record<string, Rule>;

const problem = problemsBy(graderRules);

export function checkGraders(suite: Suite, library: Library): Problem[] {
  const problems = [...nothingChecked(suite), ...otherSpellings(suite)];
  const unknown = new Map<string, { first: Case; count: number }>();
  for (const question of suite.cases) {
    if (question.graders.length === 0) problems.push(nothingToCheck(question));
    for (const spec of question.graders) {
      if (!isGraderType(spec.type)) {
        const seen = unknown.get(spec.type);
        if (seen === undefined) unknown.set(spec.type, { first: question, count: 1 });
        else seen.count++;
      } else problems.push(...checkKnown(question, spec, { suite, library }));
      problems.push(...checkForbiddenTools(question, spec));
    }
  }
  const { native, translated } = graderTypes();
  const types = [...native, ...translated];
  for (const [type, { first, count }] of unknown) {
    if (type === "") {
      problems.push(noType(first, count));
      continue;
    }
    problems.push(
      suiteProblem("suite/grader", {
        // A misspelt type is the author's mistake; an unknown one may belong to another tool.
        severity: types.some((known) => isSlip(type, known)) ? "error" : "warning",
        message: `There is no grader "${type}", which ${count === 1 ? "this case uses" : `${count} checks in this file use`}: the other graders decide, and a case that has no other is not asked.`,
        fix: didYouMean(
          type,
          types.filter((known) => isSlip(type, known)),
          `The graders are ${native.join(", ")}.`,
          { most: 1 },
        ),
        location: first.source,
      }),
    );
  }
  return problems;
}

function noType({ source }: Case, count: number): Problem {
  return suiteProblem("suite/grader", {
    severity: "error",
    message: `${count === 1 ? "A check of this case has" : `${count} checks in this file have`} no \`type\`, so nothing is checked by ${count === 1 ? "it" : "them"}.`,
    fix: "Write `type`, or, for a judge, a sentence.",
    location: source,
  });
}

function nothingToCheck(question: Case): Problem {
  return problem("suite/nothing-to-check", {
    severity: "warning",
    message: `${question.name === undefined ? "This case" : `"${question.name}"`} has nothing to check: it has no expectations, assertions, graders or expected output.`,
    fix: "Say in `expectations` what must be true afterwards.",
    location: question.source,
  });
}

function checkKnown(
  question: Case,
  spec: GraderSpec,
  { suite, library }: { suite: Suite; library: Library },
): Problem[] {
  const [inlined = spec] = inlineSchemas([spec], suite.file, library.root);
  const checked = checkGrader(inlined, dirname(suite.file));
  const called = spec.name === undefined ? spec.type : `${spec.name} (${spec.type})`;
  const report = (message: string, severity: "error" | "info") =>
    suiteProblem("suite/grader", { severity, message, location: question.source });
  if (checked.status === "rejected") {
    return checked.rejections.map((one) =>
      report(`The grader ${called} cannot work: ${asSentence(noteText(one))}`, "error"),
    );
  }
  const notes = checked.notes.map(({ message }) => report(`The grader ${called}: ${message}.`, "info"));
  if (spec.type !== "skill_invocation") return notes;
  const names = namesOf(library);
  const { required_skills = [], forbidden_skills = [] } = checked.config as {
    required_skills?: string[];
    forbidden_skills?: string[];
  };
  const unknown = [...required_skills, ...forbidden_skills].filter(
    (name) => names.resolve(name, suite.file) === undefined,
  );
  return [
    ...notes,
    ...unknown.map((name) =>
      suiteProblem("suite/unknown-skill", {
        message: `The grader ${called}: ${unknownName(name, library)}`,
        location: question.source,
        fix: "Correct the name.",
      }),
    ),
  ];
}

function asSentence(text: string): string {
  return /[.?]$/.test(text) ? text : `${text}.`;
}

/** Before 0.34 this was waza's only way to write a negative. It forbids every skill. */
function checkForbiddenTools(question: Case, spec: GraderSpec): Problem[] {
  if (spec.type !== "behavior" || typeof spec.config !== "object" || spec.config === null) return [];
  const tools = (spec.config as Record<string, unknown>)["forbidden_tools"];
  if (!Array.isArray(tools) || !tools.some((tool) => typeof tool === "string" && tool.toLowerCase() === "skill"))
    return [];
  return [
    problem("suite/forbidden-tools-skill", {
      message: "forbidden_tools: [skill] fails when any skill is activated, even one that is right for this prompt.",
      fix: `Use a skill_invocation grader with forbidden_skills: [${question.skill ?? "the skill"}].`,
      location: question.source,
    }),
  ];
}

function nothingChecked(suite: Suite): Problem[] {
  return suite.triggers
    .filter(({ expect }) => checksNothing(expect))
    .map(({ source }) =>
      problem("suite/nothing-to-check", {
        message: "This question requires no skill, forbids none and allows any: there is nothing to check.",
        fix: "Add required_skills or forbidden_skills, or set allow_extra to false.",
        location: source,
      }),
    );
}

/** evolve uses the native format too, and knows these types but not ours. */
const EVOLVE_TYPES = new Set(["regex", "not_regex", "file_exists", "file_absent", "tool_call"]);

/** Reports each type once per file, and none in other tools' files, where their types are right. */
function otherSpellings({ format, cases }: Suite): Problem[] {
  if (format !== "evals") return [];
  const seen = new Set(EVOLVE_TYPES);
  return cases.flatMap(({ graders, source }) =>
    graders.flatMap((spec) => {
      const native = seen.has(spec.type) ? undefined : nativeSpelling(spec);
      if (native === undefined) return [];
      seen.add(spec.type);
      return [
        problem("suite/grader-spelling", {
          message: `\`${spec.type}\` is an older spelling of the grader \`${native.type}\`, and means the same.`,
          fix: `Write ${JSON.stringify(native, withoutDefaults)}.`,
          location: source,
        }),
      ];
    }),
  );
}

/** An empty list is a default, except for `allow_only`, where it forbids every tool. */
function withoutDefaults(key: string, value: unknown): unknown {
  const isEmpty = value === false || (typeof value === "object" && value !== null && Object.keys(value).length === 0);
  return isEmpty && key !== "allow_only" ? undefined : value;
}
