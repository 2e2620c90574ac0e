import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { Command } from "commander";
import { nearest, printable, UsageError } from "../base/index.ts";
import type { Library, Skill } from "../skills/index.ts";
import type { Suite, SuiteDraft } from "../suites/index.ts";

interface InitFlags {
  dryRun: boolean;
  config?: string;
}

export function initCommand(): Command {
  return new Command("init")
    .description("Draft a first suite for a skill: positives from its card, negatives from its siblings, for you to correct.")
    .argument("<skill>", "the skill's name, or the path of its folder")
    .argument("[paths...]", "where the library is (default: everything from here)")
    .option("--dry-run", "print the suite instead of writing it", false)
    .option("--config <file>", "configuration to use instead of the nearest proctor.config.*")
    .action(async (skill: string, paths: string[], flags: InitFlags) => {
      process.stdout.write(await init(skill, paths, flags));
    });
}

async function init(name: string, paths: string[], { dryRun, config }: InitFlags): Promise<string> {
  const cwd = process.cwd();
  const { skill, draft } = await draftFor({ cwd, name, paths, ...(config === undefined ? {} : { config }) });
  if (dryRun) return draft.text;
  const present = ["yaml", "yml", "json", "jsonc"]
    .map((end) => join(dirname(draft.file), `triggers.${end}`))
    .find((file) => existsSync(file));
  if (present !== undefined)
    throw new UsageError(
      `${shown(cwd, present)} is there already; nothing was written`,
      `proctor init ${name} --dry-run prints the draft, without what is asked already, to copy from.`,
    );
  mkdirSync(dirname(draft.file), { recursive: true });
  writeFileSync(draft.file, draft.text, { flag: "wx" });
  return summary(skill, draft, cwd);
}

export interface DraftOptions {
  cwd: string;
  /** Of the skill, or the path of its folder. */
  name: string;
  paths?: string[];
  config?: string;
}

/** The first suite of a skill as `proctor init` would write it. */
export async function draftFor({ cwd, name, paths = [], config }: DraftOptions): Promise<{ skill: Skill; draft: SuiteDraft }> {
  const [{ findLibraries }, { suitesByLibrary }, { draftSuite }] = await Promise.all([
    import("./find-libraries.ts"),
    import("./check-libraries.ts"),
    import("../suites/index.ts"),
  ]);
  // A folder says where to look as well as what for.
  const where = paths.length > 0 ? paths : existsSync(join(cwd, name)) && /[\\/.]/.test(name) ? [name] : [];
  const { libraries, discovery } = await findLibraries({ cwd, paths: where, ...(config === undefined ? {} : { config }) });
  const { library, skill } = await chosen(libraries, name, cwd);
  if (!skill.modelInvocable)
    throw new UsageError(
      `no model may activate ${skill.id}, so there is nothing to ask`,
      "Its frontmatter says so (disable-model-invocation or the like).",
    );
  const read = await suitesByLibrary(discovery.libraries, discovery.files);
  const suites: Suite[] = read.find((one) => one.library === library)?.suites ?? [];
  return { skill, draft: draftSuite({ library, skill, suites, ...(await neighbourhood(library, skill)) }) };
}

/** Who is near the skill, by the embedded router: whoever would answer to the skill's own words. */
async function neighbourhood(library: Library, skill: Skill) {
  const { createRouter, purposesOf } = await (await import("../targets/index.ts")).loadEmbedded();
  const router = createRouter(library.skills);
  const near = new Map<string, number>();
  for (const clause of [...purposesOf(skill.card), skill.card.description]) {
    for (const { skill: id, score } of router.scores(clause)) near.set(id, (near.get(id) ?? 0) + score);
  }
  const siblings = library.skills
    .filter(({ id, modelInvocable }) => id !== skill.id && modelInvocable)
    .sort((a, b) => (near.get(b.id) ?? 0) - (near.get(a.id) ?? 0) || (a.id < b.id ? -1 : 1));
  return {
    siblings,
    purposes: ({ card }: Skill) => purposesOf(card),
    closeness: (query: string) => router.scores(query).find(({ skill: id }) => id === skill.id)?.score ?? 0,
  };
}

async function chosen(libraries: readonly Library[], name: string, cwd: string): Promise<{ library: Library; skill: Skill }> {
  const { findSkill } = await import("../skills/index.ts");
  const names = [name, join(cwd, name)];
  const found =
    names
      .map((one) => libraries.flatMap((library) => findSkill(library, one).map((skill) => ({ library, skill }))))
      .find(({ length }) => length > 0) ?? [];
  if (found.length === 1) return found[0]!;
  if (found.length > 1)
    throw new UsageError(`${name} is the name of ${found.length} skills`, `Say which: ${found.map(({ skill }) => skill.id).join(", ")}.`);
  const ids = libraries.flatMap(({ skills }) => skills.map(({ id }) => id));
  const near = nearest(name, ids);
  throw new UsageError(
    `there is no skill ${name}`,
    near.length > 0 ? `Did you mean ${near.join(" or ")}?` : `Skills here: ${ids.slice(0, 12).join(", ")}${ids.length > 12 ? " …" : ""}.`,
  );
}

function summary(skill: Skill, { file, positives, negatives, slots }: SuiteDraft, cwd: string): string {
  const winners = new Map<string, number>();
  for (const { expect } of negatives) winners.set(expect, (winners.get(expect) ?? 0) + 1);
  const siblings = [...winners].map(([id, count]) => (count === 1 ? id : `${id} ×${count}`)).join(", ");
  const fromSuites = negatives.filter(({ source }) => source === "suite").length;
  const lines = [
    `wrote ${shown(cwd, file)}`,
    `  ${count(positives.length, "positive")}: ${positives.length === 0 ? "the card says too little to draft from" : `from the card of ${skill.id}`}`,
    `  ${count(negatives.length, "negative")}${negatives.length === 0 ? ": there is no sibling" : `: ${siblings} (${fromSuites} from their suites, ${negatives.length - fromSuites} from their cards)`}`,
    ...(slots.length > 0
      ? [
          `  ${count(slots.length, "slot")}: the same task, wrong domain; not asked before you fill ${slots.length === 1 ? "it" : "them"} in`,
        ]
      : []),
    "",
    "All of it is a draft. Correct each question, say it as people say it, and delete its `draft`; proctor check counts what is left.",
    `next: proctor check ${shown(cwd, file)}`,
  ];
  return `${lines.map(printable).join("\n")}\n`;
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? "" : "s"}`;
}

function shown(cwd: string, file: string): string {
  return relative(cwd, file).split(sep).join("/");
}
