import { displayWidth } from "../../base/index.ts";
import { oneLine, pad } from "../text/fit-text.ts";
import { shortNames } from "../text/short-names.ts";
import type { CollidingLibrary } from "./found.ts";
import type { CollisionsTextOptions } from "./text.ts";

const most = { whole: 10, rows: 14, label: 36, column: 12 };

/** Who is near whom: a small library whole, of a large one the skills that collide most. Nothing where the list of pairs says as much. */
export function heatMapLines({ skills, pairs, skill }: CollidingLibrary, { colors, width }: CollisionsTextOptions): string[] {
  const shown = skills.length <= most.whole ? skills : mostColliding(pairs);
  if (shown.length < 3 || pairs.length === 0 || skill !== undefined) return [];
  const risks = new Map(pairs.flatMap(({ skills: [a, b], risk }) => [[`${a}\0${b}`, risk] as const, [`${b}\0${a}`, risk] as const]));
  const { labels, titles } = named(shown, width);
  const label = Math.min(most.label, Math.max(...labels.map(displayWidth)));
  const widths = titles.map((title) => Math.max(2, displayWidth(title)));
  const paint = (risk: number) => (risk >= 0.5 ? colors.red : risk >= 0.3 ? colors.yellow : colors.dim);
  const rows = shown.map((row, at) => {
    const cells = shown.slice(0, at).map((column, index) => {
      const risk = risks.get(`${row}\0${column}`) ?? 0;
      return paint(risk)(pad(shade(risk), widths[index]!));
    });
    return `${pad(labels[at]!, label)}  ${[...cells, colors.dim("\\")].join(" ")}`;
  });
  const legend = SHADES.map(({ least, sign }) => `${sign} ${least.toFixed(2).replace(/^0/, "")}`).join("  ");
  const part = shown.length < skills.length ? `   the ${shown.length} of ${skills.length} skills that collide most` : "";
  return [
    colors.dim(`${pad("", label)}  ${titles.map((title, at) => pad(title, widths[at]!)).join(" ")}`.trimEnd()),
    ...rows,
    colors.dim(`risk from ${legend}${part}`),
  ];
}

/** Columns by short names where they have room, else by the number of their row. */
function named(skills: string[], width: number): { labels: string[]; titles: string[] } {
  const names = skills.map(oneLine);
  const label = Math.min(most.label, Math.max(...names.map(displayWidth)));
  const titles = shortNames(names, most.column);
  const needed = titles.reduce((sum, title) => sum + 1 + Math.max(2, displayWidth(title)), label + 1);
  if (needed <= width && !titles.some((title) => title.includes("…"))) return { labels: names, titles };
  return { labels: names.map((name, at) => `${String(at + 1).padStart(2)} ${name}`), titles: names.map((_, at) => `${at + 1}`) };
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

/** Skills in the order in which the riskiest pairs name them, so that neighbours stand side by side. */
function mostColliding(pairs: CollidingLibrary["pairs"]): string[] {
  const named = new Set<string>();
  for (const { skills } of pairs) {
    if (named.size >= most.rows) break;
    for (const skill of skills) named.add(skill);
  }
  return [...named].slice(0, most.rows);
}
