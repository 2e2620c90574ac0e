import type { Completed, CompletedFlag, Values } from "./completed.ts";

export function zsh(commands: Completed[]): string {
  const names = commands.map(({ name, about }) => `    '${name}:${escaped(about)}'`);
  return `#compdef proctor
# source <(proctor completion zsh)
_proctor_runs() { compadd -- .proctor/runs/*(N:t) }
_proctor() {
  local -a commands
  commands=(
${names.join("\n")}
  )
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  local command="$words[2]"
  shift words; (( CURRENT-- ))
  case "$command" in
${commands.map(caseOf).join("\n")}
  esac
}
compdef _proctor proctor
`;
}

function caseOf({ name, flags, takes, inner }: Completed): string {
  const own = `_arguments ${[...flags.flatMap(specs), `'*:argument:${action(takes)}'`].join(" ")}`;
  const cases = inner.map(
    (one) =>
      `      if [[ "$words[2]" == ${one.name} ]] && (( CURRENT > 2 )); then shift words; (( CURRENT-- )); ${caseOf(one).replace(/^ {4}\S+\) | ;;$/g, "")}; return; fi\n`,
  );
  return cases.length === 0 ? `    ${name}) ${own} ;;` : `    ${name})\n${cases.join("")}      ${own} ;;`;
}

function specs({ long, short, about, value, optional }: CompletedFlag): string[] {
  const what = `[${escaped(about).replace(/[[\]]/g, "\\$&")}]`;
  const taken = value === undefined ? "" : `${optional ? "::" : ":"}value:${action(value)}`;
  return [long, ...(short === undefined ? [] : [short])].map((flag) => `'*${flag}${what}${taken}'`);
}

function action(values: Values): string {
  switch (values.kind) {
    case "words":
      return values.words.some((word) => word.endsWith(":"))
        ? `{compadd -S "" -- ${values.words.join(" ").replaceAll(":", "\\:")}}`
        : `(${values.words.join(" ")})`;
    case "runs":
      return "_proctor_runs";
    case "files":
      return "_files";
    case "text":
      return " ";
  }
}

/** zsh separates a name from its description with a colon. */
function escaped(text: string): string {
  return text.replaceAll("'", "’").replaceAll(":", "\\:");
}
