import { join } from "node:path";
import type { AgentAdapter, Exit, SessionFile } from "../../../hosts/index.ts";
import { agentHosts, loadAdapter } from "../../../hosts/index.ts";
import {
  type Json,
  json,
  jsonLines,
  list,
  number,
  type StagedSkill,
  StagedSkills,
  text,
} from "../../../hosts/reading/index.ts";
import type { Activation, Skill, TrialEvent } from "../../../model/index.ts";
import { allEvents } from "./all-events.ts";
import { Account } from "./conversation.ts";
import { finished, seenIn, withinTurns } from "./ending.ts";
import { factsIn } from "./session-files.ts";
import { wellFormed } from "./trial.ts";

export type Reread = { status: "read"; events: TrialEvent[]; skills: string[] } | { status: "unread"; why: string };

/**
 * Reads a trial's raw output again, with today's adapter. `skills` are those that have not changed since; the body of
 * the others is unknown.
 */
export async function rereadTrial(
  raw: string,
  { skills, decided }: { skills: readonly Skill[]; decided(activations: readonly Activation[]): boolean },
): Promise<Reread> {
  const lines = jsonLines(raw);
  const messages = messagesOf(lines);
  const [first] = messages;
  if (first === undefined) return { status: "unread", why: "its raw output is incomplete" };
  if (lines.some((line) => line["type"] === "proctor.cut"))
    return { status: "unread", why: "it wrote more than is kept" };
  const id = text(first.start["adapter"]);
  if (!agentHosts.some(({ agent }) => agent.id === id)) return { status: "unread", why: `${id} is your own agent` };
  const adapter = await loadAdapter(id);
  const staged = stagedAs(first.start, adapter, skills);
  const account = new Account(adapter.conversation?.tellsTotals);
  const told = messages.map((message) =>
    account.add(messageEvents(message, { adapter, staged, decided, turnsBefore: account.turns })),
  );
  const end = told.at(-1)?.end;
  return {
    status: "read",
    events: [...told.flatMap(({ fresh }) => fresh), ...(end === undefined ? [] : [end])],
    skills: staged.skills.map((skill) => skill.id),
  };
}

interface RawMessage {
  start: Json;
  exit: Json;
  lines: Json[];
}

function messagesOf(lines: Json[]): RawMessage[] {
  const starts = lines.flatMap((line, index) => (line["type"] === "proctor.trial" ? [index] : []));
  const messages = starts.map((from, index) => {
    const own = lines.slice(from + 1, starts[index + 1]);
    // `!`: `from` is a place in `lines`.
    return { start: lines[from]!, exit: own.findLast((line) => line["type"] === "proctor.exit"), lines: own };
  });
  return messages.every((message): message is RawMessage => message.exit !== undefined) ? messages : [];
}

interface MessageReading {
  adapter: AgentAdapter;
  staged: StagedSkills;
  decided(activations: readonly Activation[]): boolean;
  turnsBefore: number;
}

function messageEvents(
  { start, exit: noted, lines }: RawMessage,
  { adapter, staged, decided, turnsBefore }: MessageReading,
): TrialEvent[] {
  const { session } = adapter;
  const maxTurns = (number(start["maxTurns"]) ?? Number.POSITIVE_INFINITY) + (session?.replaces ? turnsBefore : 0);
  const exit = exitOf(noted);
  const reader = adapter.reader(staged);
  const seen = lines
    .filter((line) => !text(line["type"]).startsWith("proctor."))
    .flatMap((line) => reader.read(line).map(wellFormed));
  const ended = reader.end(exit);
  const facts = factsIn(lines.filter((line) => line["type"] === "proctor.file").map(fileOf), adapter, staged);
  const all = allEvents([...seen, ...ended.events], facts, exit);
  const told = all.filter((event) => withinTurns(event, maxTurns));
  if (session?.replaces && told.length < all.length && ended.end.how === "completed") ended.end.how = "max_turns";
  const ending = { adapter, decided, setup: { model: text(start["model"]), prompt: text(start["prompt"]) } };
  return [...told, finished(ending, exit, ended, facts, seenIn(told))];
}

function stagedAs(start: Json, { skillsDir, naming }: AgentAdapter, skills: readonly Skill[]): StagedSkills {
  const workspace = text(start["workspace"]);
  const known = new Map(skills.map((skill) => [skill.id, skill]));
  const staged = list(start["skills"]).map((entry): StagedSkill => {
    const [id, folder] = [text(entry["id"]), text(entry["folder"])];
    const dir = join(workspace, ...skillsDir.split("/"), folder);
    const { card, body = "" } = known.get(id) ?? {};
    return {
      id,
      folder,
      name: text(entry["name"]),
      plugin: typeof entry["plugin"] === "string" ? entry["plugin"] : undefined,
      dir,
      file: join(dir, "SKILL.md"),
      description: card?.description ?? "",
      body,
    };
  });
  const elsewhere = Array.isArray(start["elsewhere"]) ? start["elsewhere"].map(text) : [];
  return new StagedSkills(workspace, staged, { naming, elsewhere });
}

function exitOf({ failed, resources, ...exit }: Json): Exit {
  const [peakMemoryBytes, cpuMs] = ["peakMemoryBytes", "cpuMs"].map((name) => number(json(resources)[name]));
  const measured = peakMemoryBytes !== undefined && cpuMs !== undefined;
  return {
    ...exit,
    failed: failed === undefined ? undefined : new Error(text(failed)),
    resources: measured ? { peakMemoryBytes, cpuMs } : undefined,
  } as unknown as Exit;
}

function fileOf(line: Json): SessionFile {
  return { path: text(line["path"]), text: text(line["text"]), cut: line["cut"] === true };
}
