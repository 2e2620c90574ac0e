import type { createColors } from "picocolors";
import { count, displayWidth, relativePosix, VERSION } from "../../base/index.ts";
import { oneLine, pad, truncate, wrap } from "../text/fit-text.ts";
import { shellWord } from "../text/shell.ts";
import { shortNames } from "../text/short-names.ts";
import { COMPETING, type CollidingLibrary, type FoundCollisions, pairAdvice, type TakenQuestion } from "./json.ts";

export interface CollisionsTextOptions {
  colors: ReturnType<typeof createColors>;
  width: number;
}

export function collisionsText(found: FoundCollisions, options: CollisionsTextOptions): string {
  const { colors, width } = options;
  const note = wrap(oneLine(found.note), width - 16).map(
    (line, at) => `${pad(at === 0 ? found.target : "", 14)}  ${colors.dim(line)}`,
  );
  const parts = found.libraries.flatMap((library) => [
    [headOf(library, options), ...note],
    headline(library, options),
    takenLines(library, found, options),
    pairLines(library, found, options),
    heatMapLines(library, options),
    othersLines(library, options),
    [colors.cyan(`next: ${nextOf(library, found.where)}`)],
  ]);
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function headOf({ name, skills, fingerprint }: CollidingLibrary, { colors, width }: CollisionsTextOptions): string {
  return colors.bold(
    truncate(
      `proctor ${VERSION}   library ${oneLine(name)}: ${count(skills.length, "skill")} (fingerprint ${fingerprint.slice(0, 6)})`,
      width,
    ),
  );
}

function headline(library: CollidingLibrary, { colors, width }: CollisionsTextOptions): string[] {
  const { pairs, pairsLeftOff, broad, vague, taken, positives, skill } = library;
  const competing = pairs.filter(({ risk }) => risk >= COMPETING).length;
  const atLeast = pairsLeftOff > 0 && competing === pairs.length ? "at least " : "";
  const lost = new Set(taken.filter(({ wins }) => wins).map(({ positive }) => positive)).size;
  const shared = new Set(taken.map(({ positive }) => positive)).size - lost;
  const found = [
    ...(competing > 0
      ? [`${atLeast}${count(competing, "pair")} of siblings ${competing === 1 ? "competes" : "compete"}`]
      : []),
    ...(lost > 0
      ? [`${lost} of ${count(positives, "prompt")} in the suites ${lost === 1 ? "goes" : "go"} only to a sibling`]
      : []),
    ...(shared > 0
      ? [`a sibling also fires on ${shared} ${lost > 0 ? "more" : `of ${count(positives, "prompt")} in the suites`}`]
      : []),
    ...(broad.length > 0 ? [`${count(broad.length, "skill")} ${broad.length === 1 ? "is" : "are"} too broad`] : []),
    ...(vague.length > 0 ? [`${count(vague.length, "skill")} ${vague.length === 1 ? "is" : "are"} hard to find`] : []),
  ];
  const about = skill === undefined ? "" : `${oneLine(skill)}: `;
  if (found.length === 0) return [colors.bold(colors.green(`${about}no collision found`))];
  return wrap(`${about}${found.join(", ")}`, width).map((line) => colors.bold(colors.yellow(line)));
}

const most = { taken: 8, queries: 2, names: 6 };

function takenLines(
  { taken }: CollidingLibrary,
  { cwd }: FoundCollisions,
  { colors, width }: CollisionsTextOptions,
): string[] {
  const groups = grouped(taken);
  if (groups.length === 0) return [];
  const lines = groups.slice(0, most.taken).flatMap((group) => {
    const [{ positive, by }] = group;
    const wins = group.filter((one) => one.wins).length;
    const mark = wins > 0 ? colors.red("✗") : colors.yellow("?");
    const who = truncate(`${oneLine(positive.expected.join(" + "))} → ${oneLine(by)}`, width - 40);
    const times = [
      ...(wins > 0 ? [`takes ${wins}`] : []),
      ...(group.length > wins ? [`also fires on ${group.length - wins}`] : []),
    ].join(", ");
    return [
      `${mark} ${who}  ${colors.dim(times)}`,
      ...group.slice(0, most.queries).map((one) => takenLine(one, cwd, { colors, width })),
    ];
  });
  const more = groups.length - most.taken;
  return [
    colors.bold("From the suites: prompts written for one skill on which another fires"),
    ...lines,
    ...(more > 0 ? [colors.dim(`… and ${more} more: --json holds all`)] : []),
  ];
}

type TakenGroup = [TakenQuestion, ...TakenQuestion[]];

/** Groups by taker and loser. Prompts that the loser misses come before prompts on which both fire. */
function grouped(taken: readonly TakenQuestion[]): TakenGroup[] {
  const groups = new Map<string, TakenGroup>();
  for (const one of taken) {
    const key = `${one.positive.expected.join("\0")}\0\0${one.by}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  const wins = (group: TakenGroup) => group.filter((one) => one.wins).length;
  for (const group of groups.values()) group.sort((a, b) => Number(b.wins) - Number(a.wins));
  return [...groups.values()].sort((a, b) => wins(b) - wins(a) || b.length - a.length);
}

function takenLine(
  { positive, score, expectedScore }: TakenQuestion,
  cwd: string,
  { colors, width }: CollisionsTextOptions,
): string {
  const { file, line } = positive.source;
  const place = `${relativePosix(cwd, file)}${line === undefined ? "" : `:${line}`}`;
  const room = width - 20;
  const query = truncate(
    `"${oneLine(positive.query)}"`,
    Math.max(room - displayWidth(place) - 2, Math.floor(room * 0.6)),
  );
  const rest = truncateStart(oneLine(place), room - displayWidth(query) - 2);
  return `    ${colors.dim(`${expectedScore.toFixed(2)} → ${score.toFixed(2)}`)}  ${query}  ${colors.dim(rest)}`;
}

/** Cuts at the start, because the end of a path says more. */
function truncateStart(text: string, width: number): string {
  return displayWidth(text) <= width ? text : `…${[...text].slice(1 - width).join("")}`;
}

function pairLines(
  { pairs, skill }: CollidingLibrary,
  { top }: FoundCollisions,
  { colors, width }: CollisionsTextOptions,
): string[] {
  const competing = skill === undefined ? pairs.filter(({ risk }) => risk >= COMPETING) : pairs;
  const shown = competing.slice(0, top);
  if (shown.length === 0) return [];
  const nameOf = ({ skills }: (typeof shown)[number]) => skills.map(oneLine).join(" × ");
  const column = Math.min(
    Math.max(30, Math.floor(width * 0.55)),
    Math.max(...shown.map((pair) => displayWidth(nameOf(pair)))),
  );
  const lines = shown.flatMap((pair) => {
    const risk = pair.risk >= 0.5 ? colors.red(pair.risk.toFixed(2)) : colors.yellow(pair.risk.toFixed(2));
    const phrases = truncate(pair.phrases.map(oneLine).join(", "), width - column - 8);
    return [
      `${risk}  ${pad(nameOf(pair), column)}  ${phrases}`.trimEnd(),
      ...wrap(oneLine(pairAdvice(pair)), width - 6).map((line) => colors.dim(`      ${line}`)),
    ];
  });
  const more = competing.length - shown.length;
  return [
    colors.bold(`From the cards: pairs by risk, and what both say`),
    ...lines,
    ...(more > 0 ? [colors.dim(`… and ${count(more, "more pair")}: --top ${competing.length} shows all`)] : []),
  ];
}

function othersLines(
  { broad, vague, common, skills }: CollidingLibrary,
  { colors, width }: CollisionsTextOptions,
): string[] {
  const lines = [
    ...broad.map(({ skill, takesFrom }) => ({
      label: "too broad",
      text: `${skill} fires on what ${takesFrom.length} siblings are for: ${listed(takesFrom)}. Say what it is not for, and which skill is.`,
    })),
    ...vague.map(({ skill, telling }) => ({
      label: "hard to find",
      text: `${skill}: ${says(telling)} Say when to use it, in the words of the people who need it.`,
    })),
    ...common.map(({ phrase, texts }) => ({
      label: "boilerplate",
      text: `"${phrase}" is on ${texts} of ${count(skills.length, "card")}, so it does not tell them apart.`,
    })),
  ];
  return lines.flatMap(({ label, text }) =>
    wrap(oneLine(text), width - 14).map((part, at) => `${colors.yellow(pad(at === 0 ? label : "", 12))}  ${part}`),
  );
}

function says(telling: string[]): string {
  if (telling.length === 0) return "no word in its description distinguishes it from other skills.";
  if (telling.length === 1) return `the only distinctive word in its description is "${telling[0]}".`;
  return `the only distinctive words in its description are ${telling.map((word) => `"${word}"`).join(", ")}.`;
}

function listed(names: string[]): string {
  const shown = names.slice(0, most.names).join(", ");
  return names.length > most.names ? `${shown} and ${names.length - most.names} more` : shown;
}

function nextOf({ taken, pairs, vague, positives }: CollidingLibrary, where: string): string {
  const lost = taken.find(({ wins }) => wins) ?? taken[0];
  const query =
    lost === undefined || /["$`\\!\p{Cc}\p{Cf}]/u.test(lost.positive.query) || lost.positive.query.length > 70
      ? undefined
      : lost.positive.query;
  if (query !== undefined) return `proctor route "${query}"${where}`;
  const colliding = pairs[0]?.skills[0] ?? vague[0]?.skill;
  if (colliding === undefined) return `proctor run${where}`;
  return positives === 0
    ? `proctor init ${shellWord(oneLine(colliding))}${where} drafts questions that separate it from its neighbours`
    : `proctor run${where} --cross asks every positive of its siblings too`;
}

const HEAT_MAP = { whole: 10, rows: 14, label: 36, column: 12 };

/**
 * A small library is shown whole, a large one by its most colliding skills. Empty if the list of pairs already says it.
 */
function heatMapLines({ skills, pairs, skill }: CollidingLibrary, { colors, width }: CollisionsTextOptions): string[] {
  const shown = skills.length <= HEAT_MAP.whole ? skills : mostColliding(pairs);
  if (shown.length < 3 || pairs.length === 0 || skill !== undefined) return [];
  const risks = new Map(
    pairs.flatMap(({ skills: [a, b], risk }) => [[`${a}\0${b}`, risk] as const, [`${b}\0${a}`, risk] as const]),
  );
  const columns = named(shown, width);
  const label = Math.min(HEAT_MAP.label, Math.max(...columns.map((column) => displayWidth(column.label))));
  const paint = (risk: number) => (risk >= 0.5 ? colors.red : risk >= 0.3 ? colors.yellow : colors.dim);
  const rows = columns.map((row, at) => {
    const cells = columns.slice(0, at).map((column) => {
      const risk = risks.get(`${row.skill}\0${column.skill}`) ?? 0;
      return paint(risk)(pad(shade(risk), column.width));
    });
    return `${pad(row.label, label)}  ${[...cells, colors.dim("\\")].join(" ")}`;
  });
  const legend = SHADES.map(({ least, sign }) => `${sign} ${least.toFixed(2).replace(/^0/, "")}`).join("  ");
  const part =
    shown.length < skills.length ? `   the ${shown.length} of ${skills.length} skills that collide most` : "";
  return [
    colors.dim(
      `${pad("", label)}  ${columns.map(({ title, width: columnWidth }) => pad(title, columnWidth)).join(" ")}`.trimEnd(),
    ),
    ...rows,
    colors.dim(`risk from ${legend}${part}`),
  ];
}

function named(skills: string[], width: number): HeatMapColumn[] {
  const names = skills.map(oneLine);
  const label = Math.min(HEAT_MAP.label, Math.max(...names.map(displayWidth)));
  const titles = shortNames(names, HEAT_MAP.column);
  const needed = titles.reduce((sum, title) => sum + 1 + Math.max(2, displayWidth(title)), label + 1);
  const fits = needed <= width && !titles.some((title) => title.includes("…"));
  return skills.map((skill, at) => {
    const name = oneLine(skill);
    const title = fits ? (titles[at] ?? name) : `${at + 1}`;
    return {
      skill,
      label: fits ? name : `${String(at + 1).padStart(2)} ${name}`,
      title,
      width: Math.max(2, displayWidth(title)),
    };
  });
}

interface HeatMapColumn {
  skill: string;
  label: string;
  title: string;
  width: number;
}

const SHADES = [
  { least: 0.7, sign: "██" },
  { least: 0.5, sign: "▓▓" },
  { least: 0.3, sign: "▒▒" },
  { least: 0.15, sign: "░░" },
];

function shade(risk: number): string {
  return SHADES.find(({ least }) => risk >= least)?.sign ?? "·";
}

/** Orders skills as the riskiest pairs name them, so that competing skills become neighbours. */
function mostColliding(pairs: CollidingLibrary["pairs"]): string[] {
  const named = new Set<string>();
  for (const { skills } of pairs) {
    if (named.size >= HEAT_MAP.rows) break;
    for (const skill of skills) named.add(skill);
  }
  return [...named].slice(0, HEAT_MAP.rows);
}
