import { remember, sha256 } from "../../base/index.ts";
import type { RouterCard } from "../clauses/router-card.ts";
import { createRouter, type Grounds, type RouterLimits, type RouterOptions } from "../router.ts";
import { PARAMETERS } from "./parameters.ts";

/** A query, and whether an agent activated this skill on it. */
export interface AgentDecision {
  query: string;
  skill: string;
  fired: boolean;
}

/** Which limits decide a library's questions, and why. */
export interface Calibration {
  /** `too_few`: not enough of the agent's decisions to tell; `shipped`: other limits do not measurably help; `refitted`: they do. */
  status: "too_few" | "shipped" | "refitted";
  /** For queries that the agent was not asked. */
  limits: RouterLimits;
  /** For a query among the agent's: limits that its own decision had no part in. */
  limitsFor(query: string): RouterLimits;
  decisions: { fired: number; silent: number };
  /** How the limits do on decisions they were not fitted to. */
  measured?: CalibrationOutcome;
  /** All limits in use, for the record. */
  used: RouterLimits[];
  /** One sentence for a report. */
  summary: string;
}

interface CalibrationOutcome {
  asked: number;
  sure: number;
  right: number;
}

/** Of each kind: fewer say too little about where to draw a line. */
const FEWEST = 30;
const FOLDS = 5;
/** What "sure" promises. */
const PROMISED = 0.9;

/**
 * Refits the limits to what an agent did on this library's prompts, by nested cross-validation: the limits that decide a question were chosen without it, and so was
 * the decision to refit at all. Labels have no part in it: fitted to those, a router learns to agree with wishes.
 */
export function calibrate(
  cards: readonly RouterCard[],
  decisions: readonly AgentDecision[],
  agent?: string,
  options: RouterOptions = {},
): Calibration {
  const { needs, wins, silentBelow } = options.parameters ?? PARAMETERS;
  const shipped: RouterLimits = { needs, wins, silentBelow };
  const rows = scored(cards, decisions, options);
  const counts = { fired: rows.filter(({ fired }) => fired).length, silent: rows.filter(({ fired }) => !fired).length };
  if (Math.min(counts.fired, counts.silent) < FEWEST) {
    const held = agent === undefined ? "none" : `${counts.fired} and ${counts.silent} of ${agent}`;
    const summary = `not calibrated: that takes ${FEWEST} activations and ${FEWEST} silences of one agent on these exact cards, and the records here hold ${held}`;
    return {
      status: "too_few",
      limits: shipped,
      limitsFor: () => shipped,
      decisions: counts,
      used: [shipped],
      summary,
    };
  }
  const folds = Array.from({ length: FOLDS }, (_, fold) => chooseLimits(without(rows, fold, OUTER), shipped));
  const known = new Set(rows.map(({ query }) => query));
  const limits = chooseLimits(rows, shipped);
  const limitsFor = (query: string) => (known.has(query) ? folds[foldOf(query, OUTER)] : undefined) ?? limits;
  const used = [shipped, limits, ...folds].filter(
    (one, at, all) => all.findIndex((other) => isSame(one, other)) === at,
  );
  const refitted = [limits, ...folds].some((one) => !isSame(one, shipped));
  const measured = outcome(rows, limitsFor);
  const told = `sure about ${measured.sure} of ${measured.asked} decisions of ${agent} that it was not fitted to, and right about ${measured.right}`;
  return {
    status: refitted ? "refitted" : "shipped",
    limits,
    limitsFor,
    decisions: counts,
    measured,
    used: refitted ? used : [shipped],
    summary: refitted
      ? `calibrated to ${agent}: fires from ${limits.needs}, silent below ${limits.silentBelow} (as shipped: ${needs}, ${silentBelow}); ${told}`
      : `not refitted to ${agent}, since that would not measurably help; ${told}`,
  };
}

interface ScoredDecision extends AgentDecision, Omit<Grounds["cards"][number], "skill"> {
  foreign: boolean;
  /** The score of the best other skill that may fire. */
  rival: number;
}

/** Of a skill that nothing in the query speaks for. */
const NOTHING = { score: 0, mayFire: false, excluded: false };

function scored(
  cards: readonly RouterCard[],
  decisions: readonly AgentDecision[],
  options: RouterOptions,
): ScoredDecision[] {
  const router = createRouter(cards, options);
  const known = new Set(cards.map(({ id }) => id));
  const byQuery = new Map<string, AgentDecision[]>();
  for (const decision of decisions) {
    if (!known.has(decision.skill)) continue;
    byQuery.set(decision.query, [...(byQuery.get(decision.query) ?? []), decision]);
  }
  return [...byQuery].flatMap(([query, own]) => {
    const { foreign, cards: found } = router.grounds(query);
    const grounds = new Map(found.map((card) => [card.skill, card]));
    return own.map((decision) => ({
      ...NOTHING,
      ...grounds.get(decision.skill),
      ...decision,
      foreign,
      rival: found.find(({ skill, mayFire }) => mayFire && skill !== decision.skill)?.score ?? 0,
    }));
  });
}

/** The refitted limits where that measurably helps on decisions they were not fitted to, else the shipped ones. */
function chooseLimits(rows: readonly ScoredDecision[], shipped: RouterLimits): RouterLimits {
  const fitted = Array.from({ length: FOLDS }, (_, fold) => fitLimits(without(rows, fold, INNER), shipped));
  const refit = outcome(rows, (query) => fitted[foldOf(query, INNER)] ?? shipped);
  const before = outcome(rows, () => shipped);
  return isBetter(refit, before) ? fitLimits(rows, shipped) : shipped;
}

/** Keeping the promise comes first, then telling more. A difference within one standard error is none. */
function isBetter(now: CalibrationOutcome, before: CalibrationOutcome): boolean {
  if (now.sure === 0) return false;
  const keeps = (one: CalibrationOutcome) => one.sure > 0 && one.right / one.sure >= PROMISED;
  if (keeps(now) !== keeps(before)) return keeps(now);
  const gain = (now.sure - before.sure) / now.asked;
  const error = Math.sqrt((now.sure / now.asked) * (1 - now.sure / now.asked) * (2 / now.asked));
  return keeps(now) ? gain > error : now.right / now.sure > before.right / Math.max(1, before.sure) && gain > -error;
}

const STEPS = Array.from({ length: 20 }, (_, i) => Math.round((i + 0.5) * 5) / 100);

/** The limits that leave the least open while the promise is kept on these decisions; as shipped where none keep it. */
function fitLimits(rows: readonly ScoredDecision[], shipped: RouterLimits): RouterLimits {
  const ahead = shipped.wins - shipped.needs;
  let best = { limits: shipped, sure: -1 };
  for (const silentBelow of STEPS) {
    for (const needs of STEPS) {
      if (needs < silentBelow) continue;
      const limits = { needs, wins: Math.min(1, Math.round((needs + ahead) * 100) / 100), silentBelow };
      const { sure, right } = outcome(rows, () => limits);
      if (sure > best.sure && sure > 0 && right / sure >= PROMISED + MARGIN) best = { limits, sure };
    }
  }
  return best.limits;
}

/** What is best here is a little worse on the next prompt. */
const MARGIN = 0.01;

function outcome(rows: readonly ScoredDecision[], limitsFor: (query: string) => RouterLimits): CalibrationOutcome {
  let sure = 0;
  let right = 0;
  for (const row of rows) {
    const said = says(row, limitsFor(row.query));
    if (said === undefined) continue;
    sure++;
    if (said === row.fired) right++;
  }
  return { asked: rows.length, sure, right };
}

/** Whether the skill fires, as the router has it; undefined: it cannot be told. */
function says(
  { score, rival, mayFire, excluded, foreign }: ScoredDecision,
  { needs, wins, silentBelow }: RouterLimits,
): boolean | undefined {
  if (foreign) return undefined;
  if (score >= needs && mayFire) return true;
  return score < silentBelow && (rival >= wins || excluded) ? false : undefined;
}

function isSame(a: RouterLimits, b: RouterLimits): boolean {
  return a.needs === b.needs && a.silentBelow === b.silentBelow;
}

const OUTER = "outer";
const INNER = "inner";

function without(rows: readonly ScoredDecision[], fold: number, level: string): ScoredDecision[] {
  return rows.filter(({ query }) => foldOf(query, level) !== fold);
}

/** By the query's text, so that a question stays in its fold whatever else is added to the suite. */
function foldOf(query: string, level: string): number {
  return foldOfKey(`${level}\n${query}`);
}

const foldOfKey = remember((key) => Number.parseInt(sha256(key).slice(0, 8), 16) % FOLDS, 100_000);
