import { Command } from "commander";
import { UsageError } from "../base/index.ts";
import { print } from "./printing/print.ts";

/** What a shell needs to know of a command. */
interface Completed {
  name: string;
  about: string;
  flags: { long: string; about: string }[];
}

export function completionCommand(whole: () => Command): Command {
  return new Command("completion")
    .description("Print a script that completes commands and flags, for bash, zsh or fish.")
    .argument("<shell>", "bash, zsh or fish")
    .action((shell: string) => {
      print(scriptFor(shell, whole().commands.map(completed)));
    });
}

function completed(command: Command): Completed {
  const flags = command.options.flatMap(({ long, description }) => (long ? [{ long, about: description }] : []));
  return { name: command.name(), about: command.description(), flags };
}

function scriptFor(shell: string, commands: Completed[]): string {
  switch (shell) {
    case "bash":
      return bash(commands);
    case "zsh":
      return zsh(commands);
    case "fish":
      return fish(commands);
    default:
      throw new UsageError(`there is no completion for ${shell}`, "Shells: bash, zsh, fish.");
  }
}

/** Paths complete as usual wherever no flag is being typed. */
function bash(commands: Completed[]): string {
  const cases = commands.map(({ name, flags }) => `    ${name}) words="${flags.map(({ long }) => long).join(" ")}" ;;`);
  return `# source <(proctor completion bash)
_proctor() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(" ")}" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac
  if [[ "$current" == -* ]]; then COMPREPLY=($(compgen -W "$words" -- "$current")); fi
}
complete -o default -F _proctor proctor
`;
}

function zsh(commands: Completed[]): string {
  const names = commands.map(({ name, about }) => `    '${name}:${escaped(about)}'`);
  const cases = commands.map(({ name, flags }) => {
    const specs = flags.map(({ long, about }) => `'${long}[${escaped(about).replace(/[[\]]/g, "\\$&")}]'`);
    return `    ${name}) _arguments ${[...specs, "'*:file:_files'"].join(" ")} ;;`;
  });
  return `#compdef proctor
# source <(proctor completion zsh)
_proctor() {
  local -a commands
  commands=(
${names.join("\n")}
  )
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  local command="$words[2]"
  shift words; (( CURRENT-- ))
  case "$command" in
${cases.join("\n")}
  esac
}
compdef _proctor proctor
`;
}

function fish(commands: Completed[]): string {
  const lines = commands.flatMap(({ name, about, flags }) => [
    `complete -c proctor -n __fish_use_subcommand -f -a ${name} -d '${quoted(about)}'`,
    ...flags.map(
      ({ long, about: what }) => `complete -c proctor -n '__fish_seen_subcommand_from ${name}' -l ${long.slice(2)} -d '${quoted(what)}'`,
    ),
  ]);
  return `# proctor completion fish | source\n${lines.join("\n")}\n`;
}

/** In zsh a colon separates the name from what it is about. */
function escaped(text: string): string {
  return quoted(text).replaceAll(":", "\\:");
}

/** For between single quotes. */
function quoted(text: string): string {
  return text.replaceAll("'", "’");
}
