import { basename, resolve } from "node:path";

/** Programs that name a file without showing what is in it. */
const LOOKERS = new Set(
  "ls find stat test [ [[ echo printf wc rm mv cp ln mkdir touch chmod chown file du df git which type realpath readlink basename dirname tree md5sum sha256sum tee for case select function".split(
    " ",
  ),
);
/** Programs that show what they looked for, not the file. */
const SEARCHERS = new Set(["grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack"]);
const SHELLS = new Set(["sh", "bash", "zsh", "dash", "ksh"]);
const PREFIXES = new Set([
  ...["sudo", "env", "command", "exec", "nice", "nohup", "time", "builtin"],
  ...["if", "then", "else", "elif", "do", "while", "until", "!", "{", "}", "fi", "done", "esac"],
]);

/** How a command opens a file: by its own path, by a pattern that fits it, or not at all. */
export type Opened = "path" | "pattern" | undefined;

/** Tells which files a shell command opens to show them: by exact path, after every `cd`, through `bash -c`, quotes, simple variables and globs. */
export function openedFiles(command: string, cwd: string): (file: string) => Opened {
  const patterns: RegExp[] = [];
  const paths = new Set<string>();
  const variables = new Map([["PWD", cwd]]);
  collect(command, cwd, 0);
  return (file) => (paths.has(file) ? "path" : patterns.some((pattern) => pattern.test(file)) ? "pattern" : undefined);

  function collect(text: string, from: string, depth: number): void {
    let here = from;
    for (const { words: raw, input } of simpleCommands(text)) {
      const words = raw.map(expanded);
      const [program = "", ...args] = unwrapped(words);
      const name = basename(program);
      if (program === "") {
        for (const word of words) remember(word);
      } else if (name === "cd" || name === "pushd") {
        here = resolve(here, args[0] ?? ".");
        variables.set("PWD", here);
      } else if (SHELLS.has(name) && depth < 3) {
        const script = args.findIndex((arg) => /^-\w*c$/.test(arg));
        if (script >= 0) collect(args[script + 1] ?? "", here, depth + 1);
        else for (const arg of args) open(arg, here);
      } else if (!LOOKERS.has(name) && !SEARCHERS.has(name)) {
        for (const arg of [...args, ...input.map(expanded)]) open(arg, here);
      }
    }
  }

  function open(word: string, from: string): void {
    const absolute = resolve(from, word);
    if (/[*?]/.test(word)) patterns.push(globPattern(absolute));
    else paths.add(absolute);
  }

  function remember(word: string): void {
    const found = /^(\w+)=(.*)$/s.exec(word);
    if (found !== null) variables.set(found[1]!, found[2]!);
  }

  function expanded(word: string): string {
    return word.replace(/\$(?:\{(\w+)\}|(\w+))/g, (whole, braced?: string, bare?: string) => variables.get(braced ?? bare ?? "") ?? whole);
  }
}

function unwrapped(words: string[]): string[] {
  let rest = words;
  while (rest.length > 0 && (/^\w+=/.test(rest[0]!) || PREFIXES.has(basename(rest[0]!)))) rest = rest.slice(1);
  if (basename(rest[0] ?? "") === "timeout")
    rest = unwrapped(rest.slice(rest.findIndex((word, index) => index > 0 && /^\d/.test(word)) + 1));
  return rest;
}

interface SimpleCommand {
  words: string[];
  /** Files that are redirected into it. */
  input: string[];
}

/** Cuts at `;`, `&`, `|`, newlines and brackets outside quotes, and each part into words. What is written to is left out, and so are comments. */
function simpleCommands(text: string): SimpleCommand[] {
  const commands: SimpleCommand[] = [{ words: [], input: [] }];
  let word: string | undefined;
  let next: "word" | "input" | "output" = "word";
  const endWord = () => {
    if (word === undefined) return;
    if (next === "word") commands.at(-1)!.words.push(word);
    if (next === "input") commands.at(-1)!.input.push(word);
    next = "word";
    word = undefined;
  };
  for (let index = 0; index < text.length; index++) {
    const char = text[index]!;
    if (char === "'" || char === '"') {
      const end = closing(text, index);
      const inside = text.slice(index + 1, end);
      word = (word ?? "") + (char === '"' ? inside.replace(/\\(["\\$`])/g, "$1") : inside);
      index = end;
    } else if (char === "\\") {
      index++;
      if (text[index] !== "\n") word = (word ?? "") + (text[index] ?? "");
    } else if (char === "#" && word === undefined) {
      while (index + 1 < text.length && text[index + 1] !== "\n") index++;
    } else if (char === ">" || char === "<") {
      if (/^\d$/.test(word ?? "")) word = undefined;
      endWord();
      const operator = /^(?:>[>|&]?|<[<&>]*)/.exec(text.slice(index))![0];
      index += operator.length - 1;
      next = operator === "<" ? "input" : "output";
    } else if (/[;&|\n()`]/.test(char)) {
      endWord();
      next = "word";
      commands.push({ words: [], input: [] });
    } else if (/\s/.test(char)) {
      endWord();
    } else {
      word = (word ?? "") + char;
    }
  }
  endWord();
  return commands.filter(({ words, input }) => words.length + input.length > 0);
}

function closing(text: string, start: number): number {
  const quote = text[start];
  for (let index = start + 1; index < text.length; index++) {
    if (quote === '"' && text[index] === "\\") index++;
    else if (text[index] === quote) return index;
  }
  return text.length;
}

function globPattern(path: string): RegExp {
  const source = path
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("**", "\u0000")
    .replaceAll("*", "[^/]*")
    .replaceAll("?", "[^/]")
    .replaceAll("\u0000", ".*");
  return new RegExp(`^${source}$`);
}
