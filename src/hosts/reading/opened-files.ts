import { basename, join, resolve, sep } from "node:path";
import { type Command, parse, type Redirection, type SyntaxNode, type Word } from "unbash";
import { globMatcher } from "../../base/index.ts";
import { type Expanded, scriptsIn, wordsOf } from "./shell-words.ts";

const LOOKERS = new Set(
  "ls find stat test [ echo printf wc rm mv cp ln mkdir touch chmod chown file du df git which type realpath readlink basename dirname tree md5sum sha256sum tee".split(
    " ",
  ),
);
const SEARCHERS = new Set(["grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack"]);
const SHELLS = new Set(["sh", "bash", "zsh", "dash", "ksh"]);
const PREFIXES = new Set(["sudo", "env", "command", "exec", "nice", "nohup", "time", "builtin"]);
const DECLARATIONS = new Set(["export", "declare", "local", "readonly", "typeset"]);
const DEEPEST = 3;
/** In characters of expanded words; each node of a script costs as much as a long line. */
const MOST_WORK = 20_000_000;
const COST_OF_NODE = 1_000;
const LONGEST_PATH = 1_024;

export type Opened = "path" | "pattern" | "search" | undefined;

interface Shell {
  cwd: string;
  variables: Map<string, Expanded[]>;
  functions: Map<string, SyntaxNode>;
  depth: number;
}

/**
 * Tells which files a shell command opens to show them. Static: it does not know which branch is taken or what is
 * printed.
 */
export function openedFiles(command: string, cwd: string): (file: string) => Opened {
  const followed = new FollowedCommand(command, cwd);
  return (file) => followed.opens(file);
}

class FollowedCommand {
  readonly #paths = new Set<string>();
  readonly #patterns: ((file: string) => boolean)[] = [];
  readonly #searched: ((file: string) => boolean)[] = [];
  #work = 0;

  constructor(command: string, cwd: string) {
    this.#script(command, { cwd, variables: new Map(), functions: new Map(), depth: 0 });
  }

  opens(file: string): Opened {
    if (this.#paths.has(file)) return "path";
    if (this.#patterns.some((fits) => fits(file))) return "pattern";
    return this.#searched.some((fits) => fits(file)) ? "search" : undefined;
  }

  #script(text: string, shell: Shell): void {
    if (shell.depth > DEEPEST) return;
    try {
      this.#each(parse(parseable(text)).commands, shell);
    } catch (error) {
      // Too deep for the stack, or too much work: no real command is like that. Whatever was found so far counts.
      if (!(error instanceof RangeError)) throw error;
    }
  }

  #each(nodes: readonly SyntaxNode[], shell: Shell): void {
    for (const node of nodes) this.#run(node, shell);
  }

  /** Nested loops, and variables that double their own value, would never end. */
  #spend(characters: number): void {
    this.#work += characters;
    if (this.#work > MOST_WORK) throw new RangeError("the command is too much to follow");
  }

  #run(node: SyntaxNode, shell: Shell): void {
    this.#spend(COST_OF_NODE);
    switch (node.type) {
      case "Pipeline":
        for (const part of node.commands) this.#run(part, node.commands.length === 1 ? shell : inside(shell));
        break;
      case "Subshell":
      case "Coproc":
        this.#run(node.body, inside(shell));
        break;
      case "For":
      case "Select":
        this.#loop(node, shell);
        break;
      case "Function":
        shell.functions.set(node.name.value, node.body);
        break;
      case "Redirected":
        this.#run(node.command, shell);
        for (const { file } of this.#inputs(node.redirects, shell)) this.#open(file, shell);
        break;
      case "Command":
        this.#simple(node, shell);
        break;
      default:
        this.#each(inTurn(node), shell);
    }
  }

  #loop({ name, wordlist: list, body }: Extract<SyntaxNode, { type: "For" | "Select" }>, shell: Shell): void {
    this.#substitutions(list ?? [], shell);
    const values = list === undefined ? (shell.variables.get("@") ?? []) : list.flatMap((word) => wordsOf(word, shell));
    for (const value of values) {
      shell.variables.set(name.value, [value]);
      this.#run(body, shell);
    }
  }

  #simple(node: Command, shell: Shell): void {
    const assignments = [...node.prefix, ...node.suffix].filter((part) => part.type === "Assignment");
    const args = node.suffix.filter((part) => part.type === "Word");
    const values = assignments.flatMap(({ value }) => (value.type === "Word" ? [value] : value.elements));
    this.#substitutions([...(node.name === undefined ? [] : [node.name]), ...args, ...values], shell);
    const words = [...(node.name === undefined ? [] : [node.name]), ...args].flatMap((word) => wordsOf(word, shell));
    if (words.length === 0 || DECLARATIONS.has(words[0]?.text ?? ""))
      for (const { name, value } of assignments)
        shell.variables.set(name, wordsOf(value.type === "Word" ? value : undefined, shell));
    this.#spend(words.reduce((sum, { text }) => sum + text.length, 0));
    this.#program(unwrapped(words), this.#inputs(node.redirects, shell), shell);
  }

  #program([first, ...args]: Expanded[], given: Input[], shell: Shell): void {
    const name = basename(first?.text ?? "");
    const defined = shell.functions.get(name);
    if (defined !== undefined && shell.depth < DEEPEST) {
      this.#run(defined, { ...shell, variables: withArguments(shell.variables, args), depth: shell.depth + 1 });
    } else if (name === "cd" || name === "pushd") {
      const to = resolve(shell.cwd, args.find(({ text }) => !text.startsWith("-"))?.text ?? ".");
      if (to.length <= LONGEST_PATH) shell.cwd = to;
    } else if (name === "eval") {
      this.#script(args.map(({ text }) => text).join(" "), { ...shell, depth: shell.depth + 1 });
    } else if (SHELLS.has(name)) {
      const at = args.findIndex(({ text }) => /^-\w*c$/.test(text));
      const below = { ...inside(shell), depth: shell.depth + 1 };
      for (const { script: text } of given) if (text !== undefined) this.#script(text, below);
      if (at >= 0)
        this.#script(args[at + 1]?.text ?? "", {
          ...below,
          variables: withArguments(below.variables, args.slice(at + 3)),
        });
      else for (const arg of args) this.#open(arg, shell);
    } else if (SEARCHERS.has(name)) {
      for (const word of [...args, ...given.map(({ file }) => file)]) this.#search(word, shell);
    } else if (first !== undefined && !LOOKERS.has(name) && !DECLARATIONS.has(name)) {
      for (const word of [...args, ...given.map(({ file }) => file)]) this.#open(word, shell);
    }
  }

  #open(word: Expanded | undefined, { cwd: from }: Shell): void {
    if (word === undefined || word.text === "") return;
    if (word.isPattern) this.#patterns.push(globMatcher(resolve(from, word.pattern)));
    else this.#paths.add(realPath(from, word.text));
  }

  #search(word: Expanded | undefined, { cwd: from }: Shell): void {
    if (word === undefined || word.text === "") return;
    if (word.isPattern) this.#searched.push(globMatcher(resolve(from, word.pattern)));
    const path = realPath(from, word.text);
    this.#searched.push((file) => file === path || file.startsWith(path + sep));
  }

  #substitutions(words: readonly Word[], shell: Shell): void {
    for (const nested of words.flatMap((word) => scriptsIn(word.parts))) this.#run(nested, inside(shell));
  }

  #inputs(redirects: readonly Redirection[], shell: Shell): Input[] {
    return redirects.flatMap((redirect): Input[] => {
      if (redirect.type === "HereDoc") {
        for (const nested of scriptsIn(redirect.body.parts)) this.#run(nested, inside(shell));
        return [{ script: redirect.body.text }];
      }
      if (redirect.target !== undefined) this.#substitutions([redirect.target], shell);
      const [word] = wordsOf(redirect.target, shell);
      if (redirect.type === "HereString") return word === undefined ? [] : [{ script: word.text }];
      return redirect.operator === "<" || redirect.operator === "<>" ? [{ file: word }] : [];
    });
  }
}

/** Resolves Linux's aliases of the working directory and the root under /proc. */
export function realPath(cwd: string, path: string): string {
  const absolute = resolve(cwd, path);
  const [, link, rest = ""] =
    /^\/proc\/(?:self|thread-self|\d+|\$\$|\$BASHPID)\/(cwd|root)(\/.*)?$/.exec(absolute) ?? [];
  return link === undefined ? absolute : link === "cwd" ? join(cwd, rest) : rest || "/";
}

/** The parts that run in the same shell, in order: all branches, since it is unknown which one is taken. */
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

interface Input {
  file?: Expanded | undefined;
  script?: string;
}

/** A subshell: its parent sees neither its working directory nor its variables. */
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

/** For each of these the parser scans to the end of the text. */
const DEAR = /(?<!\$)\{(?=[^\s}])|\$[[(]|[<>]\(/g;
const MOST_STEPS = 20_000_000;

/**
 * Replaces them with plain letters if they would keep the parser busy for seconds: a text with that many is data, not
 * opened paths.
 */
function parseable(text: string): string {
  const most = MOST_STEPS / text.length;
  let dear = 0;
  for (const _ of text.matchAll(DEAR)) if (++dear > most) return text.replaceAll(DEAR, "_");
  return text;
}
