/** Limit per glob: `{a,b}{c,d}…` doubles with every pair. */
const MOST_ALTERNATIVES = 200;

/**
 * Matches paths with forward slashes: `*`, `?`, `[a-z]` and `[!a]` within a name, `**` for any number of folders,
 * `{a,b}` for either, `\*` for the character itself. Globs are untrusted, and a regular expression can take forever on
 * some of them; this takes at most as many steps as the glob's length times the path's. `dot`: wildcards match hidden
 * names too.
 */
export function globMatcher(glob: string, { dot = false }: { dot?: boolean } = {}): (path: string) => boolean {
  const written = glob.replace(/^(?:\.\/)+/, "");
  const all = alternatives(written).map((one) =>
    one.split("/").map((part) => (part === "**" ? ANY_FOLDERS : signsOf(part))),
  );
  return (path) => all.some((parts) => matches(parts, path.split("/"), dot));
}

export function isGlob(path: string): boolean {
  return /[*?[\]{}]/.test(path);
}

type Sign = "any run" | { is(character: string): boolean; wild: boolean };

const ANY_FOLDERS = "any folders";

function matches(parts: readonly (Sign[] | typeof ANY_FOLDERS)[], names: readonly string[], dot: boolean): boolean {
  const fits = (part: Sign[] | typeof ANY_FOLDERS | undefined, name: string) =>
    part !== undefined && part !== ANY_FOLDERS && nameMatches(part, name, dot);
  return inOrder(parts, names, {
    isStar: (part) => part === ANY_FOLDERS,
    fits,
    mayTake: (name) => dot || !name.startsWith("."),
  });
}

function nameMatches(signs: readonly Sign[], name: string, dot: boolean): boolean {
  const [first] = signs;
  if (!dot && name.startsWith(".") && (first === "any run" || first?.wild)) return false;
  const fits = (sign: Sign | undefined, character: string) =>
    sign !== undefined && sign !== "any run" && sign.is(character);
  return inOrder(signs, [...name], { isStar: (sign) => sign === "any run", fits, mayTake: () => true });
}

interface MatchRules<S, T> {
  isStar(sign: S): boolean;
  fits(sign: S | undefined, thing: T): boolean;
  mayTake(thing: T): boolean;
}

/** Matches things with signs in order; a star takes as many things as needed. Backtracks to the last star only. */
function inOrder<S, T>(
  signs: readonly S[],
  things: readonly T[],
  { isStar, fits, mayTake }: MatchRules<S, T>,
): boolean {
  let [sign, thing] = [0, 0];
  let star: { sign: number; thing: number } | undefined;
  while (thing < things.length) {
    const wanted = signs[sign];
    if (wanted !== undefined && isStar(wanted)) star = { sign: sign++, thing };
    else if (fits(wanted, things[thing] as T)) [sign, thing] = [sign + 1, thing + 1];
    else if (star !== undefined && mayTake(things[star.thing] as T)) [sign, thing] = [star.sign + 1, ++star.thing];
    else return false;
  }
  return signs.slice(sign).every(isStar);
}

function signsOf(part: string): Sign[] {
  const signs: Sign[] = [];
  const lastClose = part.lastIndexOf("]");
  for (let at = 0; at < part.length; ) {
    const letter = String.fromCodePoint(part.codePointAt(at) ?? 0);
    const inside = letter === "[" && at < lastClose ? setAt(part, at) : "";
    if (inside !== "") {
      signs.push(setOf(inside));
      at += inside.length + 2;
    } else if (letter === "\\" && at + 1 < part.length) {
      const itself = String.fromCodePoint(part.codePointAt(at + 1) ?? 0);
      signs.push(letterOf(itself));
      at += 1 + itself.length;
    } else {
      if (letter !== "*") signs.push(letter === "?" ? { is: () => true, wild: true } : letterOf(letter));
      else if (signs.at(-1) !== "any run") signs.push("any run");
      at += letter.length;
    }
  }
  return signs;
}

function letterOf(letter: string): Sign {
  return { is: (character) => character === letter, wild: false };
}

/** The content of the brackets that open here, "" if they are never closed. A leading `]` belongs to the set. */
function setAt(part: string, open: number): string {
  const first = open + (/[!^]/.test(part[open + 1] ?? "") ? 2 : 1);
  const close = part.indexOf("]", first + 1);
  return close < 0 ? "" : part.slice(open + 1, close);
}

function setOf(written: string): Sign {
  const negated = /^[!^]/.test(written);
  const ranges = [...written.slice(negated ? 1 : 0).matchAll(/(.)-(.)|./gsu)].map(
    ([text, from = text, to = text]) => [from, to] as const,
  );
  return {
    is: (character) => ranges.some(([from, to]) => from <= character && character <= to) !== negated,
    wild: true,
  };
}

function alternatives(glob: string): string[] {
  const done: string[] = [];
  const open = [glob];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const braces = [...one.matchAll(/(?<!\\)\{([^{}]*)\}/g)].find(([, inside = ""]) => inside.includes(","));
    if (braces === undefined || done.length + open.length >= MOST_ALTERNATIVES) done.push(one);
    else {
      const [text, inside = ""] = braces;
      const rest = one.slice(braces.index + text.length);
      const choices = inside.split(",").slice(0, MOST_ALTERNATIVES);
      open.push(...choices.map((choice) => `${one.slice(0, braces.index)}${choice}${rest}`));
    }
  }
  return done;
}
