import { join } from "node:path";
import { agentHosts, loadAdapter } from "../../../hosts/index.ts";
import {
  type AgentAdapter,
  type Exit,
  type Json,
  json,
  jsonLines,
  list,
  number,
  type SessionFile,
  type StagedSkill,
  StagedSkills,
  text,
} from "../../../hosts/reading/index.ts";
import type { Skill } from "../../../skills/index.ts";
import type { Activation, TrialEvent } from "../../../transcripts/index.ts";
import { allEvents } from "./all-events.ts";
import { Told } from "./conversation.ts";
import { finished, seenIn, withinTurns } from "./ending.ts";
import { factsIn } from "./session-files.ts";
import { SessionSoFar } from "./session-so-far.ts";
import { ownEnd, wellFormed } from "./trial.ts";

export type Reread = { status: "read"; events: TrialEvent[]; skills: string[] } | { status: "unread"; why: string };

/**
 * The events of a trial, from the raw output that was kept of it: read as today's adapter reads.
 * `skills` are those of the library that are still as they were; of the others the body is not known.
 */
export async function rereadTrial(
  raw: string,
  { skills, decided }: { skills: readonly Skill[]; decided(activations: readonly Activation[]): boolean },
): Promise<Reread> {
  const [session, messages, told] = [new SessionSoFar(), new Told(), [] as TrialEvent[]];
  let staged: string[] = [];
  for (const lines of byMessage(jsonLines(raw))) {
    const read = await rereadMessage(lines, { skills, decided, session });
    if (read.status === "unread") return read;
    told.push(...messages.add(read.events));
    staged = read.skills;
  }
  return messages.end === undefined
    ? { status: "unread", why: NOT_WHOLE }
    : { status: "read", events: [...told, messages.end], skills: staged };
}

const NOT_WHOLE = "its raw output is not whole";

/** Each message of a conversation begins with a note of its own. */
function byMessage(lines: readonly Json[]): Json[][] {
  const messages: Json[][] = [];
  for (const line of lines) {
    if (line["type"] === "proctor.trial" || messages.length === 0) messages.push([]);
    messages.at(-1)?.push(line);
  }
  return messages;
}

async function rereadMessage(
  lines: readonly Json[],
  { skills, decided, session: soFar }: Parameters<typeof rereadTrial>[1] & { session: SessionSoFar },
): Promise<Reread> {
  const start = lines.find((line) => line["type"] === "proctor.trial");
  const exit = lines.findLast((line) => line["type"] === "proctor.exit");
  if (start === undefined || exit === undefined) return { status: "unread", why: NOT_WHOLE };
  if (lines.some((line) => line["type"] === "proctor.cut")) return { status: "unread", why: "it wrote more than is kept" };
  const id = text(start["adapter"]);
  if (!agentHosts.some(({ agent }) => agent.id === id)) return { status: "unread", why: `${id} is an agent of one's own` };
  const adapter = await loadAdapter(id);
  const staged = stagedAs(start, adapter, skills);
  const maxTurns = number(start["maxTurns"]) ?? Number.POSITIVE_INFINITY;
  const { session } = adapter;
  const reader = adapter.reader(staged);
  const seen = lines.filter((line) => !text(line["type"]).startsWith("proctor.")).flatMap((line) => reader.read(line).map(wellFormed));
  const ended = ownEnd(reader.end(exitOf(exit)), adapter, soFar);
  const files = lines.filter((line) => line["type"] === "proctor.file").map(fileOf);
  const facts = factsIn(files, adapter, staged);
  const all = allEvents([...seen, ...ended.events], facts, exitOf(exit));
  const told = all.filter((event) => withinTurns(event, maxTurns));
  if (session?.replaces && told.length < all.length && ended.end.how === "completed") ended.end.how = "max_turns";
  const ending = { adapter, decided, setup: { model: text(start["model"]), prompt: text(start["prompt"]) } };
  return {
    status: "read",
    events: [...told, finished(ending, exitOf(exit), ended, facts, seenIn(told))],
    skills: staged.skills.map(({ id }) => id),
  };
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
      ...(typeof entry["plugin"] === "string" && { plugin: entry["plugin"] }),
      dir,
      file: join(dir, "SKILL.md"),
      description: card?.description ?? "",
      body,
    };
  });
  const elsewhere = Array.isArray(start["elsewhere"]) ? start["elsewhere"].map(text) : [];
  return new StagedSkills(workspace, staged, naming, elsewhere);
}

function exitOf({ failed, resources, ...exit }: Json): Exit {
  const [peakMemoryBytes, cpuMs] = ["peakMemoryBytes", "cpuMs"].map((name) => number(json(resources)[name]));
  const measured = peakMemoryBytes !== undefined && cpuMs !== undefined;
  return {
    ...exit,
    ...(failed !== undefined && { failed: new Error(text(failed)) }),
    ...(measured && { resources: { peakMemoryBytes, cpuMs } }),
  } as unknown as Exit;
}

function fileOf(line: Json): SessionFile {
  const head = typeof line["head"] === "string" ? { head: line["head"] } : {};
  return { path: text(line["path"]), text: text(line["text"]), ...head, ...(line["cut"] === true && { cut: true }) };
}
