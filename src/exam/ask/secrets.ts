import { secretsOf, secretsOfTarget } from "../../base/index.ts";
import type { PreparedExam } from "../plan/index.ts";

/** What must be in no record and on no screen: keys in the environment and the configuration, and what targets have from elsewhere. */
export function secretsOfExam({
  env,
  settings,
  targets,
  models,
}: Pick<PreparedExam, "env" | "settings" | "targets" | "models">): string[] {
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
