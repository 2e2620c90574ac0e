import { linkHorizontal } from "d3-shape";
import type { PageTarget } from "../../../../src/reporters/html/page-data.ts";
import { to } from "../../data/route.ts";
import { useWidth } from "../../parts/width.ts";
import { count, oneLine } from "../../parts/words.ts";
import { cutName } from "./cells.ts";

const MOST_FLOWS = 24;
/** Approximate width of a letter, in pixels. */
const LETTER = 7.4;
const link = linkHorizontal<unknown, [number, number]>();

/** Thefts as flows from the owners of prompts on the left to the takers on the right; thicker is more frequent. */
export function Flows({ target }: { target: PageTarget }) {
  const [section, room] = useWidth<HTMLElement>(600);
  const steals = target.steals.slice(0, MOST_FLOWS);
  if (steals.length === 0)
    return (
      <section aria-labelledby="flows">
        <h2 id="flows">Who takes from whom</h2>
        <p class="quiet">No skill took another's prompts.</p>
      </section>
    );
  const unit = Math.min(5, 420 / steals.reduce((sum, { trials }) => sum + trials, 0));
  const left = stacked(steals.map(({ victim, trials }) => ({ name: victim, size: Math.max(2, trials * unit) })));
  const right = stacked(steals.map(({ thief, trials }) => ({ name: thief, size: Math.max(2, trials * unit) })));
  const height = Math.max(left.height, right.height) + 8;
  // As wide as the names need, and no wider: letters keep their size on a phone.
  const names = (groups: { name: string }[]) =>
    Math.max(...groups.map(({ name }) => cutName(name).length)) * LETTER + 14;
  const [from, beyond] = [names(left.groups), names(right.groups)];
  const end = from + Math.max(50, Math.min(320, room - from - beyond));
  const width = end + beyond;
  return (
    <section aria-labelledby="flows" ref={section}>
      <h2 id="flows">Who takes from whom</h2>
      <p class="quiet">
        Prompts of the skills on the left went to those on the right; the thicker, the more trials.
        {target.steals.length > MOST_FLOWS && ` The ${MOST_FLOWS} most frequent of ${target.steals.length}.`}
      </p>
      <svg
        class="flows"
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        role="group"
        aria-label={steals
          .map(({ thief, victim, trials }) => `${thief} takes ${count(trials, "trial")} from ${victim}`)
          .join("; ")}
      >
        {steals.map(({ thief, victim, trials, prompts }, at) => {
          const size = Math.max(2, trials * unit);
          const [leftAt, rightAt] = [left.places[at] ?? 0, right.places[at] ?? 0];
          return (
            <a
              key={`${thief} ${victim}`}
              href={to("questions", "", { expected: victim, fired: thief, target: target.id })}
              aria-label={`${oneLine(thief)} takes from ${oneLine(victim)}`}
            >
              <path
                d={link({ source: [from, leftAt + size / 2], target: [end, rightAt + size / 2] } as never) ?? ""}
                class="flow"
                stroke-width={size}
              >
                <title>{`${oneLine(thief)} takes ${count(prompts, "prompt")} of ${oneLine(victim)}, in ${count(trials, "trial")}`}</title>
              </path>
            </a>
          );
        })}
        {left.groups.map(({ name, from: top, to: bottom }) => (
          <g key={name}>
            <rect x={from - 4} y={top} width="4" height={bottom - top} class="node" />
            <text x={from - 10} y={(top + bottom) / 2 + 4} class="end">
              {cutName(name)}
            </text>
          </g>
        ))}
        {right.groups.map(({ name, from: top, to: bottom }) => (
          <g key={name}>
            <rect x={end} y={top} width="4" height={bottom - top} class="node thief" />
            <text x={end + 10} y={(top + bottom) / 2 + 4}>
              {cutName(name)}
            </text>
          </g>
        ))}
      </svg>
    </section>
  );
}

/** Positions of the flows, grouped by skill. */
function stacked(flows: { name: string; size: number }[]) {
  const names = [...new Set(flows.map(({ name }) => name))];
  const places: number[] = [];
  const groups: { name: string; from: number; to: number }[] = [];
  let y = 4;
  for (const name of names) {
    const from = y;
    flows.forEach((flow, at) => {
      if (flow.name !== name) return;
      places[at] = y;
      y += flow.size;
    });
    groups.push({ name, from, to: y });
    y = Math.max(y + 8, from + 20);
  }
  return { places, groups, height: y };
}
