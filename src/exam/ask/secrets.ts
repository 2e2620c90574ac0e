import { createMask, hideFromOutput, type Mask, secretsOf, secretsOfTarget } from "../../base/index.ts";
import type { Exam } from "../plan/index.ts";

export function secretsOfExam({
  env,
  settings,
  targets,
  models,
}: Pick<Exam, "env" | "settings" | "targets" | "models">): string[] {
  const set = [...settings.values()];
  const providers = Object.values(models.providers ?? {});
  const addresses = [
    ...set.map(({ endpoint }) => endpoint),
    ...providers.map(({ baseUrl }) => baseUrl),
    ...targets.map(({ identity }) => identity.endpoint),
  ];
  return [
    ...secretsOf(env),
    ...set.flatMap(({ env: own }) => secretsOfTarget(own ?? {})),
    ...providers.flatMap(({ apiKey }) => (apiKey === undefined ? [] : [apiKey])),
    ...addresses.flatMap((address) => secretsOf({ ADDRESS: address })),
    ...targets.flatMap(({ target }) => target.secrets ?? []),
  ];
}

/** Hides the exam's secrets in all output. The mask keeps them out of the record and the cache. */
export function hideSecrets(exam: Exam): Mask {
  const secrets = secretsOfExam(exam);
  hideFromOutput(secrets);
  return createMask(secrets);
}
