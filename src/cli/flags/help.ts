import { type Command, Help, type Option } from "commander";

/** What every command's help has in common: no defaults that say nothing. */
export function withHelp(command: Command): Command {
  return command.configureHelp({
    optionDescription: (option: Option) =>
      Help.prototype.optionDescription.call(new Help(), option).replace(/ ?\(default: (?:\[\]|false)\)/, ""),
  });
}

/** Commands to begin with, each with what it is for, and the page that says more. */
export function examples(lines: readonly (readonly [command: string, about: string])[], page?: string): string {
  const column = Math.max(...lines.map(([command]) => command.length));
  const shown = lines.map(([command, about]) => `  ${command.padEnd(column)}  ${about}`);
  return ["", "Examples:", ...shown, ...(page === undefined ? [] : ["", `More: docs/${page}`])].join("\n");
}

/** Fills in the names of reporters. Only help and completion need them, and loading the reporters takes a while. */
export async function nameReporters(whole: Command): Promise<Command> {
  const { reporterNames } = await import("../../reporters/index.ts");
  for (const command of whole.commands) {
    const name = command.name();
    const names = reporterNames(name === "check" || name === "compare" ? name : "render").join(", ");
    for (const option of command.options) option.description = option.description.replace("{reporters}", names);
  }
  return whole;
}
