import { UsageError } from "../base/index.ts";
import type { GraderSpec } from "../model/index.ts";
import type { Grader } from "./grader.ts";
import { graders } from "./list.ts";

let own: readonly Grader[] = [];

/** The graders of the configuration, in the place of those that were set before. What is no grader, or has the type of another, is refused. */
export function useGraders(defined: readonly unknown[]): void {
  own = defined.map((one, index) => {
    const fault = isGrader(one)
      ? takenBy(one.type, defined.slice(0, index))
      : "it is not a grader: it needs `type`, `config` and `grade`";
    if (fault === undefined) return one as Grader;
    throw new UsageError(
      `Grader ${index + 1} of the configuration cannot be used: ${fault}.`,
      "Make it with defineGrader; docs/cases.md shows one.",
    );
  });
}

function isGrader(value: unknown): value is Grader {
  const { type, config, grade } = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const schema = config as { safeParse?: unknown } | undefined;
  return (
    typeof type === "string" &&
    /^[\w-]+$/.test(type) &&
    typeof grade === "function" &&
    typeof schema?.safeParse === "function"
  );
}

function takenBy(type: string, before: readonly unknown[]): string | undefined {
  if (graders.some((grader) => grader.type === type)) return `there is already a grader \`${type}\``;
  return before.some((one) => (one as Grader).type === type) ? `another one has the type \`${type}\`` : undefined;
}

export function findGrader(type: string): Grader | undefined {
  return graders.find((grader) => grader.type === type) ?? own.find((grader) => grader.type === type);
}

/** The types of all graders there are. */
export function graderTypes(): string[] {
  return [...graders, ...own].map(({ type }) => type);
}

/** Graders that ask a judge; their configuration may name its `model`. */
export function needsJudge(spec: GraderSpec): boolean {
  return findGrader(spec.type)?.judgements !== undefined;
}

/** How often a grader asks a judge, when every reply can be read. */
export function judgementsIn(spec: GraderSpec): number {
  const grader = findGrader(spec.type);
  const parsed = grader?.judgements === undefined ? undefined : parsedConfig(grader, spec);
  return parsed === undefined ? 0 : (grader?.judgements?.(parsed.value) ?? 0);
}

/** Graders that need what was answered without the skill. */
export function compares(spec: GraderSpec): boolean {
  const grader = findGrader(spec.type);
  const parsed = grader?.compares === undefined ? undefined : parsedConfig(grader, spec);
  return parsed !== undefined && grader?.compares?.(parsed.value) === true;
}

/** The same spec grades thousands of trials; its configuration is parsed once. Undefined: it is not valid. */
const parsedConfigs = new WeakMap<GraderSpec, { value: unknown } | { value: undefined; invalid: true }>();

export function parsedConfig(grader: Grader, spec: GraderSpec): { value: unknown } | undefined {
  let known = parsedConfigs.get(spec);
  if (known === undefined) {
    const parsed = grader.config.safeParse(spec.config);
    known = parsed.success ? { value: parsed.data } : { value: undefined, invalid: true };
    parsedConfigs.set(spec, known);
  }
  return "invalid" in known ? undefined : known;
}
