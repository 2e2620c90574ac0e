import type { Completed, CompletedFlag, Values } from "./completed.ts";

export function fish(commands: Completed[]): string {
  const lines = commands.flatMap((command) => [
    `complete -c proctor -n __fish_use_subcommand -f -a ${command.name} -d '${quoted(command.about)}'`,
    ...linesOf(command, `__fish_seen_subcommand_from ${command.name}`),
    ...command.inner.flatMap((one) =>
      linesOf(one, `__fish_seen_subcommand_from ${command.name}; and __fish_seen_subcommand_from ${one.name}`),
    ),
  ]);
  return `# proctor completion fish | source\n${lines.join("\n")}\n`;
}

function linesOf({ flags, takes }: Completed, when: string): string[] {
  const words = wordsOf(takes);
  return [
    ...(words === undefined ? [] : [`complete -c proctor -n '${when}' -f -a '${words}'`]),
    ...flags.map((flag) => `complete -c proctor -n '${when}' ${flagWords(flag)} -d '${quoted(flag.about)}'`),
  ];
}

function flagWords({ long, short, value, optional }: CompletedFlag): string {
  const words = value === undefined ? undefined : wordsOf(value);
  const taken = value === undefined || optional ? "" : value.kind === "files" ? " -r" : " -x";
  return `${short === undefined ? "" : `-s ${short.slice(1)} `}-l ${long.slice(2)}${taken}${words === undefined ? "" : ` -a '${words}'`}`;
}

function wordsOf(values: Values): string | undefined {
  if (values.kind === "words") return values.words.join(" ");
  return values.kind === "runs" ? "(command ls .proctor/runs 2>/dev/null)" : undefined;
}

function quoted(text: string): string {
  return text.replaceAll("'", "’");
}
