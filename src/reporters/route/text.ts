import type { createColors } from "picocolors";
import { count, displayWidth, VERSION } from "../../base/index.ts";
import type { RenderOptions } from "../reporter.ts";
import { oneLine, pad, truncate, wrap } from "../text/fit-text.ts";
import { moneyText, timeText } from "../text/numbers.ts";
import { isPlain, shellWord } from "../text/shell.ts";
import type { AskedLibrary, Routed, RoutedLibrary, RoutedRow } from "./json.ts";

export interface RouteTextOptions {
  colors: ReturnType<typeof createColors>;
  width: number;
  better?: RenderOptions["better"];
}

const most = { name: 32, bar: 24, unknown: 8 };

export function routeText(routed: Routed, options: RouteTextOptions): string {
  const { colors, width } = options;
  const column = Math.max(14, displayWidth(routed.target));
  const head = [
    ...(routed.asked?.libraries ?? routed.libraries).map(({ name, skills, fingerprint }) =>
      colors.bold(
        truncate(
          `proctor ${VERSION}   library ${oneLine(name)}: ${count(skills, "skill")} (fingerprint ${fingerprint.slice(0, 6)})`,
          width,
        ),
      ),
    ),
    ...wrap(oneLine(routed.note), width - column - 2).map(
      (line, at) => `${pad(at === 0 ? routed.target : "", column)}  ${colors.dim(line)}`,
    ),
  ];
  const several = (routed.asked?.libraries ?? routed.libraries).length > 1;
  const parts =
    routed.asked?.libraries.map((library) => askedLines(library, routed, several, options)) ??
    routed.libraries.map((library) => libraryLines(library, routed, several, options));
  const query = truncate(`"${oneLine(routed.query.slice(0, 2 * width))}"`, width);
  return `${[head, [query], ...parts].map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

/** An answer has no score: shows what was seen, and what it took. */
function askedLines(
  library: AskedLibrary,
  { target, where }: Routed,
  several: boolean,
  { colors, width }: RouteTextOptions,
): string[] {
  const { trials, activations, error, ms, costUsd } = library;
  const who = oneLine(target);
  const seen = [...new Map(activations.map((one) => [one.skill, one])).values()];
  const answer =
    error !== undefined
      ? colors.bold(colors.red(`No answer: ${oneLine(error.message)}`))
      : seen.length === 0
        ? colors.bold(colors.yellow("No skill fires."))
        : colors.bold(
            colors.green(
              `${seen.map(({ skill }) => oneLine(skill)).join(" and ")} ${seen.length === 1 ? "fires" : "fire"}.`,
            ),
          );
  const took = `${count(trials, "trial")}, ${timeText(ms)}, ${costUsd === null ? "cost unknown" : moneyText(costUsd)}`;
  return [
    ...(several ? [colors.bold(`library ${oneLine(library.name)}`)] : []),
    ...wrap(answer, width),
    ...seen.map(
      ({ skill, evidence, turn }) =>
        `✓ ${oneLine(skill)}  ${evidence}${evidence === "predicted" ? "" : `, turn ${turn}`}`,
    ),
    "",
    ...wrap(
      colors.dim(
        `${took}. ${error === undefined ? "One answer is not a rate: the next may differ." : "An error says nothing about the skills."}`,
      ),
      width,
    ),
    ...wrap(
      error === undefined
        ? `next: put it into a suite and ask it several times: proctor run${where} -t ${shellWord(who)}`
        : "next: proctor doctor   (what this machine can ask)",
      width,
    ).map(colors.cyan),
  ];
}

function libraryLines(library: RoutedLibrary, routed: Routed, several: boolean, options: RouteTextOptions): string[] {
  const { colors, width } = options;
  const { ranking, needs } = library;
  const { top, where } = routed;
  const { text, tone, next } = routeHeadline(library, where, askFor(routed, options));
  const paint = { good: colors.green, doubtful: colors.yellow, bad: colors.red }[tone];
  const shown = ranking.slice(0, top);
  const name = Math.min(most.name, Math.max(0, ...shown.map(({ skill }) => displayWidth(oneLine(skill)))));
  return [
    ...(several ? [colors.bold(`library ${oneLine(library.name)}`)] : []),
    ...wrap(text, width).map((line) => colors.bold(paint(line))),
    ...(shown.length > 0 ? [""] : []),
    ...shown.flatMap((row, at) => rowLines(row, at, { name, needs, options })),
    ...(shown.length > 0 ? ["", colors.dim(`│ marks the score needed to fire: ${needs.toFixed(2)}`)] : []),
    ...notes(library, shown.length).flatMap((line) => wrap(line, width).map(colors.dim)),
    ...wrap(`next: ${next}`, width).map(colors.cyan),
  ];
}

function askFor({ query, where }: Routed, { better }: RouteTextOptions): string {
  if (better === undefined) return "proctor doctor   (who on this machine can be asked)";
  if (better === "nobody")
    return "to ask a model or an agent, install Ollama (free) or an agent CLI: see proctor doctor";
  const command = isPlain(query) && query.length <= 100 ? `route ${shellWord(query, true)}` : "run";
  return ["proctor", `${command}${where}`, "-t", shellWord(better.target), ...better.flags].join(" ");
}

interface RowContext {
  name: number;
  needs: number;
  options: RouteTextOptions;
}

function rowLines(row: RoutedRow, at: number, { name, needs, options: { colors, width } }: RowContext): string[] {
  const paint = { fires: colors.green, uncertain: colors.yellow, silent: colors.dim }[row.verdict];
  const mark = { fires: "✓", uncertain: "?", silent: "·" }[row.verdict];
  const bar = Math.max(10, Math.min(most.bar, width - name - 50));
  const start = `${mark} ${pad(oneLine(row.skill), name)}  `;
  const end = `  ${row.probability.toFixed(2)}  ${pad(row.verdict, 9)}`;
  const room = width - displayWidth(start) - bar - displayWidth(end) - 2;
  const line = `${paint(start)}${drawBar(row.probability, needs, bar, paint)}${paint(end)}`;
  // The score would be enough, but it rests on a single word.
  const few =
    row.verdict === "uncertain" && row.probability >= needs && row.words.length === 1 ? " (one is too few)" : "";
  const words = row.words.length === 0 ? "" : truncate(`words: ${row.words.map(oneLine).join(", ")}${few}`, room);
  // Explains the best match and skills that may fire; for the others, only what their own card excludes.
  const reasons = reasonsOf(row.verdict === "silent" && at > 0 ? { ...row, clause: undefined } : row);
  return [
    words === "" ? line.trimEnd() : `${line}  ${words}`,
    ...reasons.flatMap(({ label, text }) =>
      cut(wrap(text, width - 14), 2).map(
        (part, index) => `    ${colors.dim(pad(index === 0 ? label : "", 10))}${part}`,
      ),
    ),
  ];
}

function cut(lines: string[], most: number): string[] {
  return lines.length <= most ? lines : lines.slice(0, most).map((line, at) => (at === most - 1 ? `${line} …` : line));
}

function drawBar(probability: number, needs: number, width: number, paint: (text: string) => string): string {
  const filled = Math.round(probability * width);
  const mark = Math.min(width - 1, Math.max(0, Math.round(needs * width)));
  const cells = Array.from({ length: width }, (_, at) => (at === mark ? "│" : at < filled ? "█" : "░")).join("");
  return paint(cells);
}

function reasonsOf({ skill, clause, notFor }: RoutedRow): { label: string; text: string }[] {
  const named = clause !== undefined && skill.endsWith(clause);
  return [
    ...(clause === undefined
      ? []
      : [{ label: named ? "name" : "clause", text: named ? oneLine(clause) : `"${oneLine(clause)}"` }]),
    ...(notFor === undefined
      ? []
      : [{ label: "not for", text: `"${oneLine(notFor)}" is about this too, which counts against the skill` }]),
  ];
}

function notes({ ranking, unknown, hidden }: RoutedLibrary, shown: number): string[] {
  const firing = ranking.slice(shown).filter(({ verdict }) => verdict === "fires").length;
  const listed = unknown.slice(0, most.unknown).map(oneLine).join(", ");
  const more = unknown.length > most.unknown ? ` and ${unknown.length - most.unknown} more` : "";
  return [
    ...(firing > 0 ? [`${firing} more ${firing === 1 ? "fires" : "fire"}: --top ${shown + firing} shows all`] : []),
    ...(unknown.length > 0 ? [`words on no card: ${listed}${more}`] : []),
    ...(hidden > 0
      ? [`${count(hidden, "skill")} left out: no model may activate ${hidden === 1 ? "it" : "them"}`]
      : []),
  ];
}

export interface Headline {
  text: string;
  tone: "good" | "doubtful" | "bad";
  next: string;
}

/**
 * The answer in one sentence: which skill fires, by what margin, and what is missing if none does. `ask` is the command
 * that asks a better target.
 */
export function routeHeadline(
  { ranking, needs, unknown, unsure, skills }: RoutedLibrary,
  where: string,
  ask: string,
): Headline {
  const firing = ranking.filter(({ verdict }) => verdict === "fires");
  const [best, second] = ranking;
  if (unsure === "language") return { ...CANNOT_TELL, next: ask, text: OTHER_LANGUAGE };
  if (best === undefined) return { ...CANNOT_TELL, text: unknown.length > 0 ? NO_SHARED_WORD : NO_TOPIC };
  const [winner, rival] = firing;
  if (winner === undefined)
    return noneFires(best, second, { needs, alone: unsure === "alone", told: unsure === undefined });
  if (rival !== undefined) return severalFire(winner, rival, firing.length, where);
  // A skill with a higher score may be too doubtful to fire.
  if (best !== winner) {
    const doubtful = `${oneLine(best.skill)} ${whyNot(best, needs)}`;
    return {
      text: `${oneLine(winner.skill)} fires (${score(winner)}). Cannot tell for the best match: ${doubtful}.`,
      tone: "doubtful",
      next: collisions(best, where),
    };
  }
  const ahead =
    second === undefined
      ? unsure === "alone" || skills === 1
        ? "and it is the only skill here"
        : "and no other skill comes close"
      : `${gap(winner, second)} ahead of ${oneLine(second.skill)}`;
  const isNear = second?.verdict === "uncertain";
  return {
    text: `${oneLine(winner.skill)} fires (${score(winner)}), ${ahead}${isNear ? ", for which it cannot tell" : ""}.`,
    tone: isNear ? "doubtful" : "good",
    next: isNear ? collisions(second, where) : ask,
  };
}

const OTHER_LANGUAGE = "Cannot tell: the query is not in the language of the cards.";
const NO_SHARED_WORD =
  "Cannot tell: this query shares no telling word with any card. An agent may still understand it.";
const NO_TOPIC = "Cannot tell: no word of this query says what it is about.";

const CANNOT_TELL = {
  tone: "doubtful",
  next: "if one of these skills should win, put the words that people use into its description, then ask again",
} as const satisfies Partial<Headline>;

function noneFires(
  best: RoutedRow,
  second: RoutedRow | undefined,
  { needs, alone, told }: { needs: number; alone: boolean; told: boolean },
): Headline {
  const runnerUp = second === undefined ? "" : ` ${oneLine(second.skill)} is ${gap(best, second)} behind it.`;
  const match = `The best match, ${oneLine(best.skill)}, ${whyNot(best, needs)}.${runnerUp}`;
  if (told) return { ...CANNOT_TELL, tone: "bad", text: `No skill fires. ${match}` };
  const why = alone ? " It is the only skill, so nothing could win instead." : "";
  return { ...CANNOT_TELL, text: `Cannot tell. ${match}${why}` };
}

/** A sufficient score fires nothing if it rests on one word, or if the card excludes part of the query. */
function whyNot(best: RoutedRow, needs: number): string {
  if (best.probability >= needs && best.excluded === true)
    return `has ${score(best)}, but its card says that it is not for some of this`;
  if (best.probability >= needs) return `has ${score(best)}, but rests on one word of the query`;
  return `has ${score(best)} and needs ${needs.toFixed(2)}: ${(needs - best.probability).toFixed(2)} short`;
}

function severalFire(winner: RoutedRow, rival: RoutedRow, firing: number, where: string): Headline {
  const who =
    firing === 2
      ? `${oneLine(winner.skill)} and ${oneLine(rival.skill)} both fire`
      : `${firing} skills fire, ${oneLine(winner.skill)} first`;
  return {
    text: `${who}: ${score(winner)} and ${score(rival)}, a margin of ${gap(winner, rival)}.`,
    tone: "doubtful",
    next: collisions(winner, where),
  };
}

function collisions({ skill }: RoutedRow, where: string): string {
  return `proctor collisions${where} --skill ${shellWord(oneLine(skill))}`;
}

function score({ probability }: RoutedRow): string {
  return probability.toFixed(2);
}

function gap(a: RoutedRow, b: RoutedRow): string {
  return (a.probability - b.probability).toFixed(2);
}
