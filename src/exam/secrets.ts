import type { PreparedExam } from "./prepare.ts";

/** The values of whatever looks like a key, in the environment and in what is set per target. */
export function secretsOf(exam: PreparedExam): string[] {
  const sources = [exam.env, ...[...exam.settings.values()].map((settings) => settings.env ?? {})];
  return sources.flatMap((source) =>
    Object.entries(source).flatMap(([name, value]) => (value !== undefined && KEY.test(name) ? [value] : [])),
  );
}

const KEY = /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|AUTH)/i;
