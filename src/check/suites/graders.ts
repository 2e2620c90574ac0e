import { dirname } from "node:path";
import { didYouMean, isSlip, noteText, type Problem } from "../../base/index.ts";
import { inlineSchemas, namesOf, suiteProblem, unknownName } from "../../formats/index.ts";
import { checkGrader, graderTypes, isGraderType } from "../../graders/index.ts";
import type { Case, GraderSpec, Library, Suite } from "../../model/index.ts";

/** Graders that cannot work, or that check something other than their author thinks. */
export function checkGraders(suite: Suite, library: Library): Problem[] {
  const problems: Problem[] = [];
  const unknown = new Map<string, { first: Case; count: number }>();
  for (const question of suite.cases) {
    if (question.graders.length === 0) problems.push(nothingToCheck(question));
    for (const spec of question.graders) {
      if (!isGraderType(spec.type)) {
        const seen = unknown.get(spec.type);
        if (seen === undefined) unknown.set(spec.type, { first: question, count: 1 });
        else seen.count++;
      } else problems.push(...checkKnown(question, spec, suite, library));
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
        // Another tool's grader is not the author's mistake; a misspelt one is.
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
  return suiteProblem("suite/nothing-to-check", {
    severity: "warning",
    message: `${question.name === undefined ? "This case" : `"${question.name}"`} has nothing to check: it has no expectations, assertions, graders or expected output.`,
    fix: "Say in `expectations` what must be true afterwards.",
    location: question.source,
  });
}

function checkKnown(question: Case, spec: GraderSpec, suite: Suite, library: Library): Problem[] {
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

/** `behavior: forbidden_tools: [skill]` was once the only way to write a negative; it forbids every skill, whatever its name. */
function checkForbiddenTools(question: Case, spec: GraderSpec): Problem[] {
  if (spec.type !== "behavior" || typeof spec.config !== "object" || spec.config === null) return [];
  const tools = (spec.config as Record<string, unknown>)["forbidden_tools"];
  if (!Array.isArray(tools) || !tools.some((tool) => typeof tool === "string" && tool.toLowerCase() === "skill"))
    return [];
  return [
    suiteProblem("suite/forbidden-tools-skill", {
      message: "forbidden_tools: [skill] fails when any skill is activated, even one that is right for this prompt.",
      fix: `Use a skill_invocation grader with forbidden_skills: [${question.skill ?? "the skill"}].`,
      location: question.source,
    }),
  ];
}
