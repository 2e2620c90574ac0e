import { join } from "node:path";
import type { Library } from "../../src/model/index.ts";
import { surveyAgents } from "../../src/targets/agents/index.ts";
import { checks } from "./checks.ts";
import { type Dialect, dialects } from "./dialects.ts";
import { type Bench, judge, type Verdict } from "./harness.ts";
import { cacheFolder, install, pinnedVersion } from "./install.ts";
import { cases } from "./scenarios.ts";
import type { Results } from "./table.ts";

export interface Examinee {
  dialect: Dialect;
  version: string;
}

/** `codex@0.163.0`, or `codex` for the pinned version. */
export function examinee(word: string): Examinee {
  const [id = "", version] = word.split("@");
  const dialect = dialects.find((one) => one.id === id);
  if (dialect === undefined)
    throw new Error(`There is no ${id}. There are ${dialects.map((one) => one.id).join(", ")}.`);
  return { dialect, version: version ?? pinnedVersion(id) };
}

export async function benchOf({ dialect, version }: Examinee, library: Library): Promise<Bench> {
  const installed = install(dialect.id, version);
  const { sandbox } = await surveyAgents({ PATH: [...installed.path, process.env["PATH"]].join(":") });
  return { library, cacheDir: join(cacheFolder(), "run"), ...installed, unboxed: sandbox === undefined };
}

/** Why a scenario was not run that would have begun too late. */
export const OUT_OF_TIME = "no time was left";

export type Rows = Results[string]["rows"];

/** Everything a CLI can be examined in. */
export const allNames: readonly string[] = [...cases, ...checks].map(({ name }) => name);

export interface Selection {
  chosen(name: string): boolean;
  /** When nothing more is begun, by `performance.now()`. */
  until?: number;
}

/** These are real processes with time limits on a machine that others use too: what fails gets one second try, at the end. */
export async function examine(
  dialect: Dialect,
  bench: Bench,
  { chosen, until = Number.POSITIVE_INFINITY }: Selection,
): Promise<Rows> {
  const rows: Rows = {};
  const all = [
    ...cases.map((one) => ({ ...one, run: () => judge(dialect, one, bench) })),
    ...checks.map((one) => ({ ...one, run: () => one.run(dialect, bench) })),
  ].filter(({ name }) => chosen(name));
  const failed: typeof all = [];
  for (const one of all) {
    const why = one.not?.(dialect, bench) ?? (performance.now() > until ? OUT_OF_TIME : undefined);
    if (why === undefined) {
      const row = await once(one);
      rows[one.name] = row;
      if (!row.right) failed.push(one);
    } else {
      rows[one.name] = { why };
      console.log(`–  ${dialect.id}  ${one.name}: not run: ${why}`);
    }
  }
  for (const one of failed)
    if (performance.now() <= until) rows[one.name] = { ...(await once(one, "second try: ")), again: true };
  return rows;

  async function once(one: (typeof all)[number], note = ""): Promise<{ right: boolean; said: string }> {
    const started = performance.now();
    const { right, said, wanted } = await one.run().catch(
      (error: unknown): Omit<Verdict, "ms"> => ({
        right: false,
        said: `thrown: ${String(error)}`,
        wanted: "no exception",
      }),
    );
    const told = `${note}${said}${right ? "" : `   WANTED ${wanted}`}  ${Math.round(performance.now() - started)} ms`;
    console.log(`${right ? "✓" : "✗"}  ${dialect.id}  ${one.name}: ${told}`);
    return { right, said };
  }
}
