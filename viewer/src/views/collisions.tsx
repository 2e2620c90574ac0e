import { scaleLinear } from "d3-scale";
import { useMemo, useState } from "preact/hooks";
import type { PageCollisions } from "../../../src/reporters/html/page-data.ts";
import type { Model } from "../data/model.ts";
import { here, param, to } from "../data/route.ts";
import { memo } from "../parts/memo.ts";
import { Scroll } from "../parts/scroll.tsx";
import { useWidth } from "../parts/width.ts";
import { capital, count, oneLine } from "../parts/words.ts";

type Pair = PageCollisions["pairs"][number];

/** Risk from which a pair competes, as in `proctor collisions`. */
const COMPETING = 0.3;

/** Skills that compete for the same prompts, judged by their cards alone. */
export function CollisionsView({ model }: { model: Model }) {
  const { collisions } = model.data;
  if (collisions === null)
    return (
      <>
        <h1>Collisions</h1>
        <p>
          The library is not available, or has changed since this run: proctor collisions shows them as they are now.
        </p>
      </>
    );
  const competing = collisions.pairs.filter(({ risk }) => risk >= COMPETING);
  return (
    <>
      <h1>
        {competing.length === 0
          ? "No two cards compete"
          : `${collisions.pairsLeftOff > 0 && competing.length === collisions.pairs.length ? "At least " : ""}${count(competing.length, "pair")} of cards ${competing.length === 1 ? "competes" : "compete"} for the same prompts`}
      </h1>
      {model.exam === null && (
        <p class="quiet">
          This library has not been examined yet: proctor run asks its questions, proctor init drafts some.
        </p>
      )}
      <p class="quiet predicted-note">{capital(oneLine(collisions.note))}.</p>
      <div class={`columns even${collisions.skills.length > 30 ? " first-wider" : ""}`}>
        <CollisionMap collisions={collisions} />
        <Pairs collisions={collisions} />
      </div>
      <Others collisions={collisions} />
    </>
  );
}

const shade = scaleLinear<number>().domain([0.1, 0.3, 0.7]).range([0.12, 0.4, 1]).clamp(true);
const MOST_ROWS = 60;
const MOST_LETTERS = 28;
/** Width of a letter and least size of a cell, in pixels. */
const [LETTER, LEAST_CELL] = [6.8, 12];

/** A matrix of skills with rivals side by side; darker is riskier. */
function CollisionMap({ collisions }: { collisions: PageCollisions }) {
  const [over, setOver] = useState<Pair | undefined>();
  const [section, room] = useWidth<HTMLElement>(600);
  const shown = useMemo(() => shownSkills(collisions), [collisions]);
  if (shown.length < 2) return <p>There is nothing to draw.</p>;
  // A name stands where its row ends and its column begins. As wide as the longest of them; the cells have the rest, as
  // far as they stay legible.
  const label = Math.max(...shown.map((skill) => shortened(skill).length)) * LETTER + 10;
  const size = Math.max(LEAST_CELL, Math.min(34, Math.floor((room - label - 8) / shown.length)));
  return (
    <section aria-labelledby="map" ref={section}>
      <h2 id="map">The map</h2>
      <p class="quiet over">
        {over === undefined
          ? `${shown.length < collisions.skills.length ? `The ${shown.length} of ${collisions.skills.length} skills that collide. ` : ""}A cell is the skill at the end of its row with the one at the top of its column; the darker, the riskier.`
          : `${over.skills.map(oneLine).join(" × ")}: risk ${over.risk.toFixed(2)}${over.phrases.length === 0 ? "" : `, both say ${over.phrases.slice(0, 4).map(oneLine).join(", ")}`}`}
      </p>
      <Scroll label="Map" tall>
        <svg
          class="map"
          width={label + shown.length * size + 8}
          height={shown.length * size + 8}
          role="img"
          aria-label="Map of collisions; the list beside it has the pairs"
        >
          <Cells pairs={collisions.pairs} shown={shown} size={size} onOver={setOver} />
          {over !== undefined && <Outline pair={over} shown={shown} size={size} />}
        </svg>
      </Scroll>
    </section>
  );
}

/** Only competing skills, if the library is large. */
function shownSkills({ skills, pairs, order }: PageCollisions): string[] {
  if (skills.length <= MOST_ROWS) return order;
  const named = new Set(pairs.flatMap((pair) => (pair.risk >= COMPETING ? pair.skills : [])));
  return order.filter((skill) => named.has(skill)).slice(0, 200);
}

function shortened(skill: string): string {
  const name = oneLine(skill);
  return name.length > MOST_LETTERS ? `${name.slice(0, MOST_LETTERS - 1)}…` : name;
}

interface Drawn {
  shown: string[];
  size: number;
}

/** Memoised, so that moving the pointer does not redraw it. */
const Cells = memo(
  ({ pairs, shown, size, onOver }: Drawn & { pairs: PageCollisions["pairs"]; onOver(pair?: Pair): void }) => {
    const at = new Map(shown.map((skill, place) => [skill, place]));
    return (
      <>
        {shown.map((skill, place) => (
          <g key={skill}>
            <text x={(place + 1) * size + 5} y={place * size + size / 2 + 4}>
              {shortened(skill)}
            </text>
            <rect x={0} y={place * size} width={place * size + size - 1} height={size - 1} class="ground" />
            <rect x={place * size} y={place * size} width={size - 1} height={size - 1} class="self" />
          </g>
        ))}
        {pairs.map((pair) => {
          const [a, b] = pair.skills.map((skill) => at.get(skill) ?? -1) as [number, number];
          if (a < 0 || b < 0) return null;
          return (
            <rect
              key={pair.skills.join(" ")}
              x={Math.min(a, b) * size}
              y={Math.max(a, b) * size}
              width={size - 1}
              height={size - 1}
              class="risk"
              fill-opacity={shade(pair.risk)}
              onMouseEnter={() => onOver(pair)}
              onMouseLeave={() => onOver()}
            />
          );
        })}
      </>
    );
  },
);

function Outline({ pair, shown, size }: Drawn & { pair: Pair }) {
  const [a, b] = pair.skills.map((skill) => shown.indexOf(skill)) as [number, number];
  return (
    <rect x={Math.min(a, b) * size} y={Math.max(a, b) * size} width={size - 1} height={size - 1} class="outline" />
  );
}

const MOST_PAIRS = 40;

function Pairs({ collisions }: { collisions: PageCollisions }) {
  const skill = param("skill");
  const competing = collisions.pairs.filter(
    ({ risk, skills }) => risk >= COMPETING && (skill === "" || skills.includes(skill)),
  );
  return (
    <section aria-labelledby="pairs">
      <h2 id="pairs">Pairs by risk, and what to do</h2>
      {skill !== "" && (
        <p>
          Only those of {oneLine(skill)}. <a href={here({ skill: undefined })}>Show all</a>
        </p>
      )}
      {competing.length === 0 && <p class="quiet">No pair reaches a risk of {COMPETING}.</p>}
      <ol class="pairs-list">
        {competing.slice(0, MOST_PAIRS).map(({ skills, risk, phrases, advice }) => (
          <li key={skills.join(" ")}>
            <span class="risk-number">{risk.toFixed(2)}</span>
            <div>
              <p>
                <a class="entry" href={to("skill", skills[0])}>
                  {oneLine(skills[0])}
                </a>{" "}
                × <a href={to("skill", skills[1])}>{oneLine(skills[1])}</a>
              </p>
              {phrases.length > 0 && <p class="quiet">both say: {phrases.slice(0, 8).map(oneLine).join(", ")}</p>}
              <p>{oneLine(advice)}</p>
            </div>
          </li>
        ))}
      </ol>
      {competing.length > MOST_PAIRS && (
        <p class="quiet">
          and {count(competing.length - MOST_PAIRS, "more pair")}: proctor collisions --top {competing.length} lists
          them.
        </p>
      )}
    </section>
  );
}

/** More cards with the same problem are folded. */
const MOST_CARDS = 12;

function Others({ collisions: { broad, vague, common, skills } }: { collisions: PageCollisions }) {
  const [isAll, setAll] = useState(false);
  if (broad.length + vague.length + common.length === 0) return null;
  const most = isAll ? Number.POSITIVE_INFINITY : MOST_CARDS;
  const more = [broad, vague, common].reduce((sum, { length }) => sum + Math.max(0, length - most), 0);
  return (
    <section aria-labelledby="others">
      <h2 id="others">Cards that are hard to tell apart</h2>
      <ul class="plain-list">
        {broad.slice(0, most).map(({ skill, takesFrom }) => (
          <li key={skill}>
            <a href={to("skill", skill)}>{oneLine(skill)}</a> is too broad: it fires on what{" "}
            {takesFrom.slice(0, 6).map(oneLine).join(", ")}
            {takesFrom.length > 6 && ` and ${takesFrom.length - 6} more`} are for.
          </li>
        ))}
        {vague.slice(0, most).map(({ skill, telling }) => (
          <li key={skill}>
            <a href={to("skill", skill)}>{oneLine(skill)}</a> is hard to find:{" "}
            {telling.length === 0
              ? "no word in its description sets it apart."
              : `only ${telling.map((word) => `“${oneLine(word)}”`).join(", ")} ${telling.length === 1 ? "tells" : "tell"} it apart.`}
          </li>
        ))}
        {common.slice(0, most).map(({ phrase, texts }) => (
          <li key={phrase}>
            “{oneLine(phrase)}” is on {texts} of {count(skills.length, "card")}, so it does not tell them apart.
          </li>
        ))}
      </ul>
      {more > 0 && (
        <button type="button" onClick={() => setAll(true)}>
          show {count(more, "more")}
        </button>
      )}
    </section>
  );
}
