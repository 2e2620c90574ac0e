import { dirname, join } from "node:path";
import { stringify } from "yaml";
import { kindAt, printable, relativePosix } from "../../base/index.ts";
import type { Library, Skill } from "../../model/index.ts";
import type { DraftPrompt } from "./prompts.ts";

export interface SuiteDraft {
  /** Absolute path where it belongs. */
  file: string;
  text: string;
  positives: DraftPrompt[];
  negatives: DraftNegative[];
  slots: DraftSlot[];
  /** Other topics of the card, for a person to put into words. */
  topics: string[];
}

export interface DraftNegative {
  query: string;
  /** The skill that should win instead. */
  expect: string;
  source: "suite" | "card";
}

/** A negative that only a person can write: a positive's task in another domain. */
interface DraftSlot {
  like: string;
}

interface DraftedSuite extends Omit<SuiteDraft, "text"> {
  library: Library;
  skill: Skill;
  /** Words of the card that prompts should avoid. */
  avoid: string[];
}

/** The draft as a native suite file: questions by kind, with comments on their origin. */
export function draftYaml({ library, skill, file, positives, negatives, slots, topics, avoid }: DraftedSuite): string {
  const schema = join(library.root, "node_modules", "proctor", "schemas", "triggers.schema.json");
  const lines = [
    // An editor reports a missing schema as an error in the file.
    ...(kindAt(schema) === "file" ? [`# yaml-language-server: $schema=${relativePosix(dirname(file), schema)}`] : []),
    `# Drafted by \`proctor init ${comment(skill.id)}\`. Nobody has reviewed these questions yet: correct each one, word it the way people would, and delete its \`draft\`.`,
    `skill_name: ${scalar(skill.name)}`,
    "triggers:",
    ...headed(
      "  # Should activate it. Drafted from its card.",
      positives.flatMap(({ query, from }) =>
        row({ query, should_trigger: true, draft: true }, `from: ${comment(from)}`),
      ),
    ),
    "  # Should activate it, in other words than the card's: those only prove that it matches itself. Not asked until you have written them.",
    ...[0, 1].flatMap((at) =>
      row(openSlot(skill, avoid, at), topics[at] === undefined ? undefined : `about: ${comment(topics[at])}`),
    ),
    ...headed(
      "\n  # Should not activate it: these belong to its siblings, the nearest first.",
      negatives.flatMap(({ query, expect, source }) =>
        row(
          { query, should_trigger: false, expect, draft: true, tags: ["sibling"] },
          source === "suite" ? undefined : `drafted from the card of ${comment(expect)}`,
        ),
      ),
    ),
    ...headed(
      "\n  # The same task in another domain: only you know what else people mean by these words. Not asked until you have written them.",
      slots.flatMap(({ like }) =>
        row({
          query: `To be written: like "${like}", but about something else`,
          should_trigger: false,
          expect: "none",
          draft: true,
          tags: ["wrong-domain"],
        }),
      ),
    ),
  ];
  return `${lines.join("\n")}\n`;
}

function headed(heading: string, rows: string[]): string[] {
  return rows.length === 0 ? [] : [heading, ...rows];
}

/** Slot 0 is for users who know what they need, slot 1 for users who only have the problem. */
function openSlot({ name }: Skill, avoid: readonly string[], at: number): Record<string, unknown> {
  const who =
    at === 0
      ? `who needs ${name.replaceAll(/[-_]/g, " ")} would type, with a file or a name of their own in it`
      : "who only has the problem would type";
  const without = avoid.length === 0 ? "" : `, without the words ${avoid.join(", ")}`;
  return {
    query: `To be written: what somebody ${who}${without}`,
    should_trigger: true,
    draft: true,
  };
}

function row(fields: Record<string, unknown>, about?: string): string[] {
  const entries = Object.entries(fields).map(
    ([key, value]) => `${key}: ${Array.isArray(value) ? `[${value.map(scalar).join(", ")}]` : scalar(value)}`,
  );
  return [
    ...(about === undefined ? [] : [`  # ${about}`]),
    ...entries.map((entry, at) => `${at === 0 ? "  - " : "    "}${entry}`),
  ];
}

function scalar(value: unknown): string {
  if (typeof value !== "string") return String(value);
  const text = stringify(value, { lineWidth: 0, blockQuote: false }).trimEnd();
  return text.includes("\n") ? JSON.stringify(value) : text;
}

function comment(text: string): string {
  const line = printable(text.replaceAll(/\s+/g, " "));
  return line.length <= 120 ? line : `${line.slice(0, 119)}…`;
}
