import { type Command, Help, type Option } from "commander";

export function withHelp(command: Command): Command {
  return command.configureHelp({
    optionDescription: (option: Option) =>
      Help.prototype.optionDescription.call(new Help(), option).replace(/ ?\(default: (?:\[\]|false)\)/, ""),
  });
}

export function examples(lines: readonly (readonly [command: string, about: string])[], page?: string): string {
  const column = Math.max(...lines.map(([command]) => command.length));
  const shown = lines.map(([command, about]) => `  ${command.padEnd(column)}  ${about}`);
  return ["", "Examples:", ...shown, ...(page === undefined ? [] : ["", `More: docs/${page}`])].join("\n");
}

/** Fills in the reporter names. Loading reporters is slow, and only help and completion need them. */
export async function nameReporters(whole: Command): Promise<Command> {
  const { reporterNames } = await import("../../reporters/index.ts");
  for (const command of whole.commands) {
    const name = command.name();
    const names = reporterNames(name === "check" || name === "compare" ? name : "render").join(", ");
    for (const option of command.options) option.description = option.description.replace("{reporters}", names);
  }
  return whole;
}
