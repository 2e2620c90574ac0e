import { basename, resolve } from "node:path";

/** Programs that name a file without showing what is in it. */
const LOOKERS = new Set(
  "ls find stat test [ [[ echo printf wc rm mv cp ln mkdir touch chmod chown file du df git which type realpath readlink basename dirname tree md5sum sha256sum".split(
    " ",
  ),
);
const SHELLS = new Set(["sh", "bash", "zsh", "dash", "ksh"]);
const PREFIXES = new Set(["sudo", "env", "command", "exec", "nice", "nohup", "time", "builtin"]);

/** Tells which files a shell command opens for reading: by exact path, after every `cd`, through `bash -c`, quotes and simple globs. */
export function openedFiles(command: string, cwd: string): (file: string) => boolean {
  const patterns: RegExp[] = [];
  const paths = new Set<string>();
  collect(command, cwd, 0);
  return (file) => paths.has(file) || patterns.some((pattern) => pattern.test(file));

  function collect(text: string, from: string, depth: number): void {
    let here = from;
    for (const words of simpleCommands(text)) {
      const [program = "", ...args] = unwrapped(words);
      const name = basename(program);
      if (name === "cd" || name === "pushd") {
        here = resolve(here, args[0] ?? ".");
      } else if (SHELLS.has(name) && depth < 3) {
        const script = args.findIndex((arg) => /^-\w*c$/.test(arg));
        if (script >= 0) collect(args[script + 1] ?? "", here, depth + 1);
        else for (const arg of args) open(arg, here);
      } else if (!LOOKERS.has(name)) {
        for (const arg of args) open(arg, here);
      }
    }
  }

  function open(word: string, from: string): void {
    const absolute = resolve(from, word.replace(/^<+/, ""));
    if (/[*?]/.test(word)) patterns.push(globPattern(absolute));
    else paths.add(absolute);
  }
}

function unwrapped(words: string[]): string[] {
  let rest = words;
  while (rest.length > 0 && (/^\w+=/.test(rest[0]!) || PREFIXES.has(basename(rest[0]!)))) rest = rest.slice(1);
  if (basename(rest[0] ?? "") === "timeout")
    rest = unwrapped(rest.slice(rest.findIndex((word, index) => index > 0 && /^\d/.test(word)) + 1));
  return rest;
}

/** Cuts at `;`, `&`, `|`, newlines and brackets outside quotes, and each part into words. */
function simpleCommands(text: string): string[][] {
  const commands: string[][] = [[]];
  let word: string | undefined;
  const endWord = () => {
    if (word !== undefined) commands.at(-1)!.push(word);
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
    } else if (/[;&|\n()`]/.test(char)) {
      endWord();
      commands.push([]);
    } else if (/\s/.test(char)) {
      endWord();
    } else {
      word = (word ?? "") + char;
    }
  }
  endWord();
  return commands.filter((words) => words.length > 0);
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
