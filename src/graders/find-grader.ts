import { type ConfigNote, rejectionsOf, UsageError } from "../base/index.ts";
import type { GraderSpec } from "../model/index.ts";
import { dialects } from "./dialects.ts";
import type { Grader } from "./grader.ts";
import { graders } from "./list.ts";

let own: readonly Grader[] = [];

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
  if (dialects.has(type) || graders.some((grader) => grader.type === type))
    return `there is already a grader \`${type}\``;
  return before.some((one) => (one as Grader).type === type) ? `another one has the type \`${type}\`` : undefined;
}

export function graderTypes(): { native: string[]; translated: string[] } {
  return { native: [...graders, ...own].map(({ type }) => type), translated: [...dialects.keys()] };
}

export function isGraderType(type: string): boolean {
  return Object.values(graderTypes()).some((types) => types.includes(type));
}

export type Understood =
  | { status: "usable"; grader: Grader; config: unknown }
  | { status: "rejected"; grader?: Grader; rejections: ConfigNote[] }
  | { status: "unknown" };

const known = new WeakMap<GraderSpec, Understood>();

/**
 * Translates the types of other tools to native ones. Specs themselves keep the type written in the suite, on which
 * reports, exported results and fingerprints of earlier runs depend.
 */
export function understand(spec: GraderSpec): Understood {
  let meaning = known.get(spec);
  if (meaning === undefined) {
    meaning = translated(spec);
    known.set(spec, meaning);
  }
  return meaning;
}

function translated({ type, config }: GraderSpec): Understood {
  const dialect = dialects.get(type);
  if (dialect === undefined) return parsed(type, config);
  const own = dialect.config.safeParse(config);
  if (!own.success) return { status: "rejected", rejections: rejectionsOf(config, dialect.config) };
  const native = dialect.native(own.data);
  return parsed(native.type, native.config);
}

function parsed(type: string, config: unknown): Understood {
  const grader = [...graders, ...own].find((one) => one.type === type);
  if (grader === undefined) return { status: "unknown" };
  const result = grader.config.safeParse(config);
  if (result.success) return { status: "usable", grader, config: result.data };
  return { status: "rejected", grader, rejections: rejectionsOf(config, grader.config) };
}

export function nativeSpelling({ type, config }: GraderSpec): { type: string; config: unknown } | undefined {
  const dialect = dialects.get(type);
  const own = dialect?.config.safeParse(config);
  return own?.success ? dialect?.native(own.data) : undefined;
}

export function needsJudge(spec: GraderSpec): boolean {
  const meaning = understand(spec);
  return meaning.status !== "unknown" && meaning.grader?.judgements !== undefined;
}

export function judgementsIn(spec: GraderSpec): number {
  const meaning = understand(spec);
  return meaning.status === "usable" ? (meaning.grader.judgements?.(meaning.config) ?? 0) : 0;
}

export function compares(spec: GraderSpec): boolean {
  const meaning = understand(spec);
  return meaning.status === "usable" && meaning.grader.compares?.(meaning.config) === true;
}

export function startsPrograms(spec: GraderSpec): boolean {
  const meaning = understand(spec);
  return meaning.status === "usable" && meaning.grader.startsPrograms === true;
}
