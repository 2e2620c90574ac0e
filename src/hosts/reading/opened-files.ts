import { basename, join, resolve, sep } from "node:path";
import { type Command, parse, type Redirection, type SyntaxNode, type Word } from "unbash";
import { globMatcher } from "../../base/index.ts";
import { type Expanded, scriptsIn, wordsOf } from "./shell-words.ts";

/** Programs that name a file without showing what is in it. */
const LOOKERS = new Set(
  "ls find stat test [ echo printf wc rm mv cp ln mkdir touch chmod chown file du df git which type realpath readlink basename dirname tree md5sum sha256sum tee".split(
    " ",
  ),
);
/** Programs that show what they looked for, not the file. */
const SEARCHERS = new Set(["grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack"]);
const SHELLS = new Set(["sh", "bash", "zsh", "dash", "ksh"]);
const PREFIXES = new Set(["sudo", "env", "command", "exec", "nice", "nohup", "time", "builtin"]);
const DECLARATIONS = new Set(["export", "declare", "local", "readonly", "typeset"]);
/** A script in a script in a script is read, and no more. */
const DEEPEST = 3;
/** In characters that words come to; a part of a script costs what a long line does. */
const MOST_WORK = 20_000_000;
const COST_OF_NODE = 1_000;
/** Beyond it a way down is no way to a skill. */
const LONGEST_PATH = 1_024;

/** How a command opens a file: by its own path, by a pattern that fits it, to show what it looks for in it, or not at all. */
export type Opened = "path" | "pattern" | "search" | undefined;

/** Where a part of a script runs. */
interface Shell {
  cwd: string;
  variables: Map<string, Expanded[]>;
  functions: Map<string, SyntaxNode>;
  depth: number;
}

/** Tells which files a shell command opens to show them. Only its words are read: which branch is taken, and what is shown in the end, they do not tell. */
export function openedFiles(command: string, cwd: string): (file: string) => Opened {
  const paths = new Set<string>();
  const patterns: ((file: string) => boolean)[] = [];
  const searched: ((file: string) => boolean)[] = [];
  let work = 0;
  script(command, { cwd, variables: new Map(), functions: new Map(), depth: 0 });
  return (file) => {
    if (paths.has(file)) return "path";
    if (patterns.some((fits) => fits(file))) return "pattern";
    return searched.some((fits) => fits(file)) ? "search" : undefined;
  };

  function script(text: string, shell: Shell): void {
    if (shell.depth > DEEPEST) return;
    try {
      each(parse(parseable(text)).commands, shell);
    } catch (error) {
      // Deeper than the stack, or more than is worth it: no person and no model writes that, and whatever was found so far is found.
      if (!(error instanceof RangeError)) throw error;
    }
  }

  function each(nodes: readonly SyntaxNode[], shell: Shell): void {
    for (const node of nodes) run(node, shell);
  }

  /** Loops in loops and values of values would go on for ever. */
  function spend(characters: number): void {
    work += characters;
    if (work > MOST_WORK) throw new RangeError("the command is too much to follow");
  }

  function run(node: SyntaxNode, shell: Shell): void {
    spend(COST_OF_NODE);
    switch (node.type) {
      case "Pipeline":
        for (const part of node.commands) run(part, node.commands.length === 1 ? shell : inside(shell));
        break;
      case "Subshell":
      case "Coproc":
        run(node.body, inside(shell));
        break;
      case "For":
      case "Select":
        loop(node.name.value, node.wordlist, node.body, shell);
        break;
      case "Function":
        shell.functions.set(node.name.value, node.body);
        break;
      case "Redirected":
        run(node.command, shell);
        for (const { file } of inputs(node.redirects, shell)) open(file, shell);
        break;
      case "Command":
        simple(node, shell);
        break;
      default:
        each(inTurn(node), shell);
    }
  }

  function loop(name: string, list: readonly Word[] | undefined, body: SyntaxNode, shell: Shell): void {
    substitutions(list ?? [], shell);
    const values = list === undefined ? (shell.variables.get("@") ?? []) : list.flatMap((word) => wordsOf(word, shell));
    for (const value of values) {
      shell.variables.set(name, [value]);
      run(body, shell);
    }
  }

  function simple(node: Command, shell: Shell): void {
    const assignments = [...node.prefix, ...node.suffix].filter((part) => part.type === "Assignment");
    const args = node.suffix.filter((part) => part.type === "Word");
    const values = assignments.flatMap(({ value }) => (value.type === "Word" ? [value] : value.elements));
    substitutions([...(node.name === undefined ? [] : [node.name]), ...args, ...values], shell);
    const words = [...(node.name === undefined ? [] : [node.name]), ...args].flatMap((word) => wordsOf(word, shell));
    if (words.length === 0 || DECLARATIONS.has(words[0]?.text ?? ""))
      for (const { name, value } of assignments)
        shell.variables.set(name, wordsOf(value.type === "Word" ? value : undefined, shell));
    spend(words.reduce((sum, { text }) => sum + text.length, 0));
    program(unwrapped(words), inputs(node.redirects, shell), shell);
  }

  function program([first, ...args]: Expanded[], given: Input[], shell: Shell): void {
    const name = basename(first?.text ?? "");
    const defined = shell.functions.get(name);
    if (defined !== undefined && shell.depth < DEEPEST) {
      run(defined, { ...shell, variables: withArguments(shell.variables, args), depth: shell.depth + 1 });
    } else if (name === "cd" || name === "pushd") {
      const to = resolve(shell.cwd, args.find(({ text }) => !text.startsWith("-"))?.text ?? ".");
      if (to.length <= LONGEST_PATH) shell.cwd = to;
    } else if (name === "eval") {
      script(args.map(({ text }) => text).join(" "), { ...shell, depth: shell.depth + 1 });
    } else if (SHELLS.has(name)) {
      const at = args.findIndex(({ text }) => /^-\w*c$/.test(text));
      const below = { ...inside(shell), depth: shell.depth + 1 };
      for (const { script: text } of given) if (text !== undefined) script(text, below);
      if (at >= 0)
        script(args[at + 1]?.text ?? "", { ...below, variables: withArguments(below.variables, args.slice(at + 3)) });
      else for (const arg of args) open(arg, shell);
    } else if (SEARCHERS.has(name)) {
      for (const word of [...args, ...given.map(({ file }) => file)]) search(word, shell);
    } else if (first !== undefined && !LOOKERS.has(name) && !DECLARATIONS.has(name)) {
      for (const word of [...args, ...given.map(({ file }) => file)]) open(word, shell);
    }
  }

  function open(word: Expanded | undefined, { cwd: from }: Shell): void {
    if (word === undefined || word.text === "") return;
    if (word.isPattern) patterns.push(globMatcher(resolve(from, word.pattern)));
    else paths.add(realPath(from, word.text));
  }

  /** A file, or a folder with all that is in it. */
  function search(word: Expanded | undefined, { cwd: from }: Shell): void {
    if (word === undefined || word.text === "") return;
    if (word.isPattern) searched.push(globMatcher(resolve(from, word.pattern)));
    const path = realPath(from, word.text);
    searched.push((file) => file === path || file.startsWith(path + sep));
  }

  /** What a substitution prints becomes part of the command around it. */
  function substitutions(words: readonly Word[], shell: Shell): void {
    for (const nested of words.flatMap((word) => scriptsIn(word.parts))) run(nested, inside(shell));
  }

  function inputs(redirects: readonly Redirection[], shell: Shell): Input[] {
    return redirects.flatMap((redirect): Input[] => {
      if (redirect.type === "HereDoc") {
        for (const nested of scriptsIn(redirect.body.parts)) run(nested, inside(shell));
        return [{ script: redirect.body.text }];
      }
      if (redirect.target !== undefined) substitutions([redirect.target], shell);
      const [word] = wordsOf(redirect.target, shell);
      if (redirect.type === "HereString") return word === undefined ? [] : [{ script: word.text }];
      return redirect.operator === "<" || redirect.operator === "<>" ? [{ file: word }] : [];
    });
  }
}

/** Linux has a second name for the folder a process is in, and for the root. */
export function realPath(cwd: string, path: string): string {
  const absolute = resolve(cwd, path);
  const [, link, rest = ""] =
    /^\/proc\/(?:self|thread-self|\d+|\$\$|\$BASHPID)\/(cwd|root)(\/.*)?$/.exec(absolute) ?? [];
  return link === undefined ? absolute : link === "cwd" ? join(cwd, rest) : rest || "/";
}

/** The parts of what runs in one shell, in turn: every branch, for nobody knows which is taken. */
function inTurn(node: SyntaxNode): readonly SyntaxNode[] {
  switch (node.type) {
    case "Script":
    case "CompoundList":
    case "AndOr":
      return node.commands;
    case "Statement":
      return [node.command];
    case "BraceGroup":
    case "ArithmeticFor":
      return [node.body];
    case "If":
      return [node.clause, node.then, ...node.elif, ...(node.else === undefined ? [] : [node.else])];
    case "Elif":
      return [node.clause, node.then];
    case "While":
      return [node.clause, node.body];
    case "Case":
      return node.items.map(({ body }) => body);
    default:
      return [];
  }
}

/** What is fed to a command: a file, or a text, which a shell takes for a script. */
interface Input {
  file?: Expanded | undefined;
  script?: string;
}

/** A process of its own: where it goes and what it sets, its parent does not see. */
function inside(shell: Shell): Shell {
  return { ...shell, variables: new Map(shell.variables), functions: new Map(shell.functions) };
}

function withArguments(variables: ReadonlyMap<string, Expanded[]>, args: readonly Expanded[]): Map<string, Expanded[]> {
  const numbered = args.map((arg, index): [string, Expanded[]] => [String(index + 1), [arg]]);
  return new Map([...variables, ...numbered, ["@", [...args]], ["*", [...args]]]);
}

function unwrapped(words: Expanded[]): Expanded[] {
  let rest = words;
  while (rest[0] !== undefined && (/^\w+=/.test(rest[0].text) || PREFIXES.has(basename(rest[0].text))))
    rest = rest.slice(1);
  if (basename(rest[0]?.text ?? "") !== "timeout") return rest;
  const limit = rest.findIndex(({ text }, index) => index > 0 && /^\d/.test(text));
  return unwrapped(rest.slice(limit + 1));
}

/** The parser looks from each of these to the end of the text. */
const DEAR = /(?<!\$)\{(?=[^\s}])|\$[[(]|[<>]\(/g;
const MOST_STEPS = 20_000_000;

/** A text that would keep the parser busy for seconds, with plain letters for what does; they stand in data then, not in a path that is opened. */
function parseable(text: string): string {
  const most = MOST_STEPS / text.length;
  let dear = 0;
  for (const _ of text.matchAll(DEAR)) if (++dear > most) return text.replaceAll(DEAR, "_");
  return text;
}
