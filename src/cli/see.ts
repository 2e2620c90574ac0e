import { Command } from "commander";
import { UsageError } from "../base/index.ts";
import type { Library } from "../skills/index.ts";
import type { Seen, SeenEntry } from "../targets/index.ts";

interface SeeFlags {
  model?: string;
  hermetic: boolean;
  json: boolean;
  config?: string;
}

export function seeCommand(): Command {
  return new Command("see")
    .description("What a host tells its model about your skills, seen in its first request: no key, no network, nothing spent.")
    .argument("<host>", "claude, codex, copilot, gemini, opencode or qwen")
    .argument("[paths...]", "where the skills are (default: everything from here)")
    .option("--model <model>", "budgets differ from model to model")
    .option("--hermetic", "without the host's bundled skills, as in trials", false)
    .option("--json", "for programs", false)
    .option("--config <file>", "configuration to use instead of the nearest proctor.config.*")
    .action(async (host: string, paths: string[], flags: SeeFlags) => {
      const [{ findLibraries }, { homeOf, loadConfig }, { loadAgents }] = await Promise.all([
        import("./find-libraries.ts"),
        import("../exam/index.ts"),
        import("../targets/index.ts"),
      ]);
      const { seeSkills } = await loadAgents();
      const cwd = process.cwd();
      const { config } = flags;
      const { libraries } = await findLibraries({ cwd, paths, ...(config === undefined ? {} : { config }) });
      const root = homeOf(cwd, await loadConfig({ cwd, ...(config === undefined ? {} : { file: config }) }));
      const seen: { library: Library; seen: Seen }[] = [];
      for (const library of libraries.filter(({ skills }) => skills.length > 0)) {
        const options = { env: process.env, hermetic: flags.hermetic, root, ...(flags.model === undefined ? {} : { model: flags.model }) };
        seen.push({ library, seen: await seeSkills(host, library, options) });
      }
      if (seen.length === 0) throw new UsageError("there are no skills here", "Say where they are: proctor see claude path/to/skills");
      process.stdout.write(flags.json ? json(seen) : seen.map(({ library, seen }) => text(library, seen)).join("\n"));
    });
}

function json(all: { library: Library; seen: Seen }[]): string {
  const libraries = all.map(({ library, seen }) => ({ library: library.name, fingerprint: library.fingerprint, ...seen }));
  return `${JSON.stringify({ version: 1, libraries }, null, 2)}\n`;
}

function text(library: Library, seen: Seen): string {
  const { title, version, model, budget, characters, entries, bundled } = seen;
  const how = version === undefined ? "not installed: worked out from its rules, not seen" : `${version}, seen in its first request`;
  const limit =
    budget?.characters == null
      ? (budget?.how ?? "")
      : `${budget.characters.toLocaleString("en")} characters for all descriptions (${budget.how})`;
  const of = (shown: SeenEntry["shown"]) => entries.filter((entry) => entry.shown === shown);
  const lines = [
    `${title} ${how}   model ${model}   library ${library.name}: ${entries.length} skills`,
    `${characters.toLocaleString("en")} characters used; ${limit}`,
    ...group("whole", of("whole"), ({ skill }) => skill, ""),
    ...group("cut", of("cut"), ({ skill, characters, of }) => `${skill} (${characters} of ${of})`, "the model sees the beginning only"),
    ...group("bare name", of("bare"), ({ skill }) => skill, "the model sees these names only, not one word of what they do"),
    ...group(
      "not listed",
      of("absent"),
      ({ skill, why }) => (why === undefined ? skill : `${skill} (${why})`),
      "the model does not know of them",
    ),
    ...(bundled.length === 0 ? [] : [`  ${"bundled".padEnd(11)}${String(bundled.length).padStart(4)}   ${bundled.join(", ")}`]),
    ...advice(seen),
  ];
  return `${lines.join("\n")}\n`;
}

function group(label: string, entries: SeenEntry[], name: (entry: SeenEntry) => string, meaning: string): string[] {
  if (entries.length === 0) return [];
  const head = `  ${label.padEnd(11)}${String(entries.length).padStart(4)}   `;
  return [`${head}${entries.map(name).join(", ")}`, ...(meaning === "" ? [] : [`${" ".repeat(head.length)}← ${meaning}`])];
}

function advice({ budget, entries }: Seen): string[] {
  const listed = entries.filter(({ shown }) => shown !== "absent");
  if (listed.every(({ shown }) => shown === "whole") || budget?.characters == null) return [];
  const names = listed.reduce((sum, { skill }) => sum + skill.length + 5, 0);
  const room = Math.floor((budget.characters - names) / listed.length);
  return [
    room > 20
      ? `Shorten descriptions to ${room} characters on average, or split the library, to show all.`
      : "Split the library: there is no room for descriptions of so many skills.",
  ];
}
