import type { Completed, Values } from "./completed.ts";

/**
 * Falls back to path completion. bash splits words at colons, so the script reads the word from the line and strips
 * everything up to the last colon from the proposals.
 */
export function bash(commands: Completed[]): string {
  const all = commands.flatMap((command) => [
    command,
    ...command.inner.map((one) => ({ ...one, name: `${command.name} ${one.name}` })),
  ]);
  return `# source <(proctor completion bash)
_proctor() {
  local line="\${COMP_LINE:0:COMP_POINT}" current previous command words="" runs
  local -a typed
  read -ra typed <<< "$line"
  if [[ "$line" == *[[:space:]] ]]; then typed+=(""); fi
  current="\${typed[\${#typed[@]}-1]}"
  previous="\${typed[\${#typed[@]}-2]}"
  command="\${typed[1]}"
  if [ "\${#typed[@]}" -gt 3 ]; then
    case "$command \${typed[2]}" in
      ${all.flatMap(({ name }) => (name.includes(" ") ? [`"${name}"`] : [])).join("|")}) command="$command \${typed[2]}" ;;
    esac
  fi
  runs="$(command ls .proctor/runs 2>/dev/null)"
  if [ "\${#typed[@]}" -eq 2 ]; then
    words="${commands.map(({ name }) => name).join(" ")}"
  else
    case "$command $previous" in
${all.flatMap(valueCases).join("\n")}
      *)
        case "$command" in
${all.map(commandCase).join("\n")}
        esac ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ "\${COMPREPLY[0]}" == *: ]]; then compopt -o nospace 2>/dev/null; fi
  if [[ "$current" == *:* && "$COMP_WORDBREAKS" == *:* ]]; then
    local before="\${current%"\${current##*:}"}" index
    for index in "\${!COMPREPLY[@]}"; do COMPREPLY[index]="\${COMPREPLY[index]#"$before"}"; done
  fi
}
complete -o default -F _proctor proctor
`;
}

function valueCases({ name, flags }: Completed): string[] {
  return flags.flatMap(({ long, short, value, optional }) => {
    if (value === undefined || (optional && value.kind !== "runs")) return [];
    const typed = [long, ...(short === undefined ? [] : [short])].map((flag) => `"${name} ${flag}"`).join("|");
    return [`      ${typed}) words="${wordsOf(value)}" ;;`];
  });
}

function commandCase({ name, flags, takes }: Completed): string {
  const own = flags.flatMap(({ long, short }) => [long, ...(short === undefined ? [] : [short])]).join(" ");
  return `          "${name}") if [[ "$current" == -* ]]; then words="${own}"; else words="${wordsOf(takes)}"; fi ;;`;
}

function wordsOf(values: Values): string {
  return values.kind === "words" ? values.words.join(" ") : values.kind === "runs" ? "$runs" : "";
}
