import { canonicalJson, VERSION } from "../../base/index.ts";
import type { Identity } from "../../model/index.ts";
import { type Hello, PROTOCOL, type RunTarget, type Welcome } from "../wire/messages.ts";

/** A worker takes part if it describes targets and judges like those chosen; nothing is served before it is chosen. */
export interface Terms {
  targets: readonly RunTarget[];
  /** Keyed by target id. */
  chosen: ReadonlyMap<string, Identity>;
  /** Keyed by judge name. */
  chosenJudges: ReadonlyMap<string, Identity>;
}

/** Which targets' jobs a worker may take, and why not others. */
export function admission(hello: Hello, { targets, chosen, chosenJudges }: Terms): Pick<Welcome, "serves" | "refused"> {
  const version = otherVersion(hello);
  if (version !== undefined) return { serves: [], refused: [version] };
  for (const [name, wanted] of chosenJudges) {
    const judge = hello.judges[name];
    if (judge === undefined) continue;
    const why = "cannot" in judge ? judge.cannot : isSame(judge.identity, wanted) ? undefined : "it differs there";
    if (why !== undefined) return { serves: [], refused: [`it cannot ask the judge ${name}: ${why}`] };
  }
  const refused: string[] = [];
  const serves = targets.flatMap(({ id }, index) => {
    const described = hello.targets[id];
    const wanted = chosen.get(id);
    if (wanted === undefined || described === undefined || "cannot" in described) return [];
    if (isSame(described.identity, wanted)) return [index];
    refused.push(`its ${id} differs (${differences(described.identity, wanted)})`);
    return [];
  });
  return { serves, refused };
}

/** Undefined if run and worker match. */
export function otherVersion({ version, protocol }: Hello): string | undefined {
  if (version === VERSION && protocol === PROTOCOL) return undefined;
  return version === VERSION
    ? `it speaks protocol ${protocol}, and this run ${PROTOCOL}`
    : `it is proctor ${version}, and this run is proctor ${VERSION}`;
}

function isSame(one: Identity, other: Identity): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

function differences(there: Identity, here: Identity): string {
  const flat = (identity: Identity): Record<string, unknown> => ({
    ...identity,
    ...identity.options,
    options: undefined,
  });
  const [a, b] = [flat(there), flat(here)];
  const differing = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(
    (key) => canonicalJson(a[key] ?? null) !== canonicalJson(b[key] ?? null),
  );
  return differing
    .map((key) => `${key} ${canonicalJson(a[key] ?? null)}, not ${canonicalJson(b[key] ?? null)}`)
    .join("; ");
}
