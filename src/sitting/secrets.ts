import type { PreparedExam } from "../plan/index.ts";

/** The values of whatever looks like a key, in the environment and in what is set per target, and what targets have from elsewhere. */
export function secretsOf(exam: PreparedExam): string[] {
  const borrowed = exam.targets.flatMap(({ target }) => target.secrets ?? []);
  const sources = [exam.env, ...[...exam.settings.values()].map((settings) => settings.env ?? {})];
  const named = sources.flatMap((source) =>
    Object.entries(source).flatMap(([name, value]) => (value !== undefined && KEY.test(name) ? [value] : [])),
  );
  return [...named, ...borrowed];
}

const KEY = /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|AUTH)/i;
