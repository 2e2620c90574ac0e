import { displayWidth } from "../../base/index.ts";
import { oneLine, pad } from "../text/fit-text.ts";
import { shortNames } from "../text/short-names.ts";
import type { CollidingLibrary } from "./found.ts";
import type { CollisionsTextOptions } from "./text.ts";

const most = { whole: 10, rows: 14, label: 36, column: 12 };

/** Which skills are near each other: all of a small library, of a large one those that collide most. Nothing where the list of pairs says as much. */
export function heatMapLines(
  { skills, pairs, skill }: CollidingLibrary,
  { colors, width }: CollisionsTextOptions,
): string[] {
  const shown = skills.length <= most.whole ? skills : mostColliding(pairs);
  if (shown.length < 3 || pairs.length === 0 || skill !== undefined) return [];
  const risks = new Map(
    pairs.flatMap(({ skills: [a, b], risk }) => [[`${a}\0${b}`, risk] as const, [`${b}\0${a}`, risk] as const]),
  );
  const columns = named(shown, width);
  const label = Math.min(most.label, Math.max(...columns.map((column) => displayWidth(column.label))));
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

/** Columns are titled with short names where there is room, else with the number of their row. */
function named(skills: string[], width: number): HeatMapColumn[] {
  const names = skills.map(oneLine);
  const label = Math.min(most.label, Math.max(...names.map(displayWidth)));
  const titles = shortNames(names, most.column);
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

/** A skill, with the label of its row and the title and width of its column. */
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

/** Skills in the order in which the riskiest pairs name them, so that neighbours end up side by side. */
function mostColliding(pairs: CollidingLibrary["pairs"]): string[] {
  const named = new Set<string>();
  for (const { skills } of pairs) {
    if (named.size >= most.rows) break;
    for (const skill of skills) named.add(skill);
  }
  return [...named].slice(0, most.rows);
}
