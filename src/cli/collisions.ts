import { Command, InvalidArgumentError } from "commander";
import { nearest, UsageError } from "../base/index.ts";
import type { CollidingLibrary, FoundCollisions } from "../reports/index.ts";
import type { Library } from "../skills/index.ts";
import type { Suite } from "../suites/index.ts";

interface CollisionsFlags {
  skill?: string;
  top: number;
  json: boolean;
  config?: string;
}

export function collisionsCommand(): Command {
  return new Command("collisions")
    .description("Which sibling skills compete for the same prompts: predicted from their cards and suites, offline.")
    .argument("[paths...]", "where the skills are (default: everything from here)")
    .option("--skill <name>", "only what concerns this skill")
    .option("--top <n>", "show so many pairs", wholeNumber, 10)
    .option("--json", "for programs; holds everything", false)
    .option("--config <file>", "configuration to use instead of the nearest proctor.config.*")
    .action(async (paths: string[], flags: CollisionsFlags) => {
      const found = await findCollisions({ ...flags, cwd: process.cwd(), paths });
      process.stdout.write(await render(found, flags));
    });
}

export interface CollisionsOptions {
  cwd: string;
  paths?: string[];
  skill?: string;
  top?: number;
  config?: string;
}

/** Which skills compete in each library found from here. */
export async function findCollisions({ cwd, paths = [], skill, top = 10, config }: CollisionsOptions): Promise<FoundCollisions> {
  const [{ findLibraries }, { suitesByLibrary }, { loadEmbedded }] = await Promise.all([
    import("./find-libraries.ts"),
    import("./check-libraries.ts"),
    import("../targets/index.ts"),
  ]);
  const { libraries, discovery } = await findLibraries({ cwd, paths, ...(config === undefined ? {} : { config }) });
  const read = await suitesByLibrary(libraries, discovery.files);
  const found: CollidingLibrary[] = [];
  const chosen = skill === undefined ? undefined : await chosenSkill(libraries, skill);
  for (const { library, suites } of read) {
    if (chosen !== undefined && chosen.library !== library) continue;
    const whole = await collisionsIn(library, suites);
    found.push(chosen === undefined ? whole : about(whole, chosen.id));
  }
  const { id, note = "" } = (await loadEmbedded()).embeddedTarget("embedded");
  return { target: id, note, cwd, top, libraries: found };
}

async function collisionsIn(library: Library, suites: readonly Suite[]): Promise<CollidingLibrary> {
  const [{ loadEmbedded }, { resolveExpect }] = await Promise.all([import("../targets/index.ts"), import("../suites/index.ts")]);
  const { collisionsOf, createRouter, takenPositives } = await loadEmbedded();
  const router = createRouter(library.skills);
  const positives = suites.flatMap((suite) =>
    suite.triggers.flatMap(({ query, expect, messages, source, skip }) => {
      if (expect.required_skills.length === 0 || messages.length > 0 || skip !== undefined) return [];
      const resolved = resolveExpect(expect, library, suite.file);
      return "invalid" in resolved ? [] : [{ query, expected: resolved.required_skills, alsoFine: resolved.also_fine, source }];
    }),
  );
  const { name, fingerprint, skills } = library;
  return {
    ...collisionsOf(skills, router),
    name,
    fingerprint,
    skills: skills.map(({ id }) => id),
    positives: positives.length,
    taken: takenPositives(positives, router),
  };
}

async function chosenSkill(libraries: readonly Library[], name: string): Promise<{ library: Library; id: string }> {
  const { findSkill } = await import("../skills/index.ts");
  const found = libraries.flatMap((library) => findSkill(library, name).map(({ id }) => ({ library, id })));
  if (found.length === 1) return found[0]!;
  if (found.length > 1)
    throw new UsageError(`${name} is the name of ${found.length} skills`, `Say which: ${found.map(({ id }) => id).join(", ")}.`);
  const near = nearest(
    name,
    libraries.flatMap(({ skills }) => skills.map(({ id }) => id)),
  );
  throw new UsageError(
    `there is no skill ${name}`,
    near.length > 0 ? `Did you mean ${near.join(" or ")}?` : "proctor collisions without --skill shows all.",
  );
}

function about(library: CollidingLibrary, skill: string): CollidingLibrary {
  return {
    ...library,
    skill,
    pairs: library.pairs.filter(({ skills }) => skills.includes(skill)),
    broad: library.broad.filter((one) => one.skill === skill || one.takesFrom.includes(skill)),
    vague: library.vague.filter((one) => one.skill === skill),
    common: [],
    taken: library.taken.filter(({ positive, by }) => by === skill || positive.expected.includes(skill)),
  };
}

async function render(found: FoundCollisions, { json }: CollisionsFlags): Promise<string> {
  const { collisionsJson, collisionsText } = await import("../reports/index.ts");
  if (json) return collisionsJson(found);
  const { createColors } = await import("picocolors");
  return collisionsText(found, { colors: createColors(), width: Math.min(process.stdout.columns ?? 100, 120) });
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError("It is a whole number, 1 or more.");
  return Number(text);
}
