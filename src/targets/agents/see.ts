import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { UsageError } from "../../base/index.ts";
import { type LoopbackRequest, startLoopback } from "../../loopback/index.ts";
import { type Library, type Listing, listing } from "../../skills/index.ts";
import type { ListingEntry } from "../../transcripts/index.ts";
import { captureOf, storeCapture } from "../first-move/capture.ts";
import type { AgentAdapter, ShownSkills } from "./adapter.ts";
import { adapterOf } from "./adapters.ts";
import { allowedEnvironment } from "./environment.ts";
import { CACHE_DIR, type FoundAgent, findAgent } from "./find.ts";
import { DEFAULT_LIMITS } from "./runner/run.ts";
import { startTrial } from "./trial.ts";
import { createWorkspace, removed, stageable } from "./workspace.ts";

/** What a host tells a model about the skills of a library. */
export interface Seen {
  host: string;
  title: string;
  /** Absent when the CLI is not installed and all of this is worked out from its rules. */
  version?: string;
  model: string;
  budget: Listing["budget"] | undefined;
  /** Characters the host spends on its listing. */
  characters: number;
  /** In the host's order; what is not listed comes last. */
  entries: SeenEntry[];
  /** Skills of the host's own that stand in the same listing. */
  bundled: string[];
}

export interface SeenEntry {
  skill: string;
  shown: ListingEntry["shown"];
  /** Characters of the description that are shown, and that there are. */
  characters: number;
  of: number;
  why?: string;
}

export interface SeeOptions {
  env: NodeJS.ProcessEnv;
  model?: string;
  /** Leave the host's own skills out, as trials do. */
  hermetic?: boolean;
  cacheDir?: string;
  /** Where `.proctor` is: the first request is stored there for `firstmove:`. */
  root?: string;
}

/** What a CLI first asked its model, with a placeholder where the query stands. */
export interface FirstRequest {
  placeholder: string;
  request: LoopbackRequest;
  /** Absolute: the workspace it was asked in, which is gone, and the folder of each skill there. */
  workspace: string;
  folders: Record<string, string>;
  shown: ShownSkills;
  /** The skills' ids, by the names the host showed. */
  ids: Map<string, string>;
}

/** Starts the real CLI against a scripted model and looks at its first request: no key, no network, nothing spent. */
export async function seeSkills(host: string, library: Library, options: SeeOptions): Promise<Seen> {
  const adapter = adapterOf(host);
  const model = options.model ?? adapter.defaultModel;
  const computed = adapter.profile === undefined ? undefined : listing(library, adapter.profile, { model });
  const found = await findAgent(adapter, options.env, options.cacheDir);
  if (found === undefined) return fromRules(adapter, model, library, computed);
  const first = await firstRequest(adapter, found, model, library, options);
  if (options.root !== undefined)
    await storeCapture(options.root, captureOf({ adapter, version: found.version, model, realistic: !options.hermetic, library }, first));
  const { ids, shown } = first;
  const entries = shown.listing.map(({ skill, shown: how }) => entryOf(library, skill, how, first, computed));
  const place = new Map(shown.entries.map(({ name }, index) => [ids.get(name), index]));
  const order = ({ skill, shown: how }: SeenEntry) => (how === "absent" ? Number.POSITIVE_INFINITY : (place.get(skill) ?? 0));
  return {
    host: adapter.id,
    title: adapter.title,
    version: found.version,
    model,
    budget: computed?.budget,
    characters: shown.characters,
    entries: entries.sort((a, b) => order(a) - order(b)),
    bundled: shown.entries.filter(({ name }) => !ids.has(name)).map(({ name }) => name),
  };
}

export async function firstRequest(
  adapter: AgentAdapter,
  found: FoundAgent,
  model: string,
  library: Library,
  options: SeeOptions,
): Promise<FirstRequest> {
  const placeholder = `query-${randomUUID()}`;
  const server = await startLoopback({ see: { steps: [{ text: "Done." }] } });
  const workspace = await createWorkspace({
    skills: await stageable(library),
    skillsDir: adapter.skillsDir,
    naming: adapter.naming,
    files: [],
    keep: false,
  });
  try {
    const trial = await startTrial({
      adapter,
      file: found.path,
      setup: {
        model,
        prompt: placeholder,
        workspace: workspace.project,
        home: workspace.home,
        tmp: workspace.tmp,
        cache: join(options.cacheDir ?? CACHE_DIR, adapter.id),
        endpoint: `${server.url}/see/1${adapter.endpointPath}`,
        keys: { [adapter.keys[0]!]: "loopback" },
        maxTurns: 1,
        tools: "read",
        sandboxed: false,
        realistic: !options.hermetic,
        decisive: [],
      },
      env: allowedEnvironment(options.env),
      targetEnv: {},
      workspace,
      sandbox: undefined,
      files: [],
      limits: DEFAULT_LIMITS,
      signal: new AbortController().signal,
      decided: () => false,
    });
    let why = "";
    for await (const event of trial.events) if (event.type === "end") why = event.error?.message ?? "";
    // Some CLIs ask for a title, say, before they ask the question.
    const opening = server.requests.filter(({ turn }) => turn === 0);
    const request = opening.find(({ body }) => JSON.stringify(body).includes(placeholder)) ?? opening[0];
    if (request === undefined) throw new UsageError(`${adapter.title} asked its model nothing${why === "" ? "" : `: ${why}`}`);
    const shown = adapter.shown(request.body, workspace.staged);
    const ids = new Map(
      shown.entries.flatMap(({ name }) =>
        workspace.staged.byName(name) === undefined ? [] : [[name, workspace.staged.byName(name)!.id] as const],
      ),
    );
    const folders = Object.fromEntries(workspace.staged.skills.map(({ id, folder }) => [id, folder]));
    return { placeholder, request, workspace: workspace.project, folders, shown, ids };
  } finally {
    await workspace.dispose();
    await removed();
    await server.close();
  }
}

function entryOf(
  library: Library,
  skill: string,
  how: ListingEntry["shown"],
  { shown, ids }: FirstRequest,
  computed: Listing | undefined,
): SeenEntry {
  const of = library.skills.find(({ id }) => id === skill)!;
  const expected = computed?.entries.find((entry) => entry.skill === skill);
  const total = of.card.description.length;
  const text = shown.entries.find(({ name }) => ids.get(name) === skill)?.text;
  const characters = how === "whole" ? total : how === "cut" ? (text?.length ?? 0) : 0;
  const why = how !== "whole" && expected?.why !== undefined ? expected.why : undefined;
  return { skill, shown: how, characters, of: total, ...(why !== undefined && { why }) };
}

function fromRules(adapter: AgentAdapter, model: string, library: Library, computed: Listing | undefined): Seen {
  if (computed === undefined)
    throw new UsageError(`${adapter.title} is not installed, and what it shows cannot be worked out without it.`, adapter.install);
  const lengths = new Map(library.skills.map(({ id, card }) => [id, card.description.length]));
  const entries = computed.entries.map(({ skill, shown, characters, why }) => ({
    skill,
    shown,
    characters,
    of: lengths.get(skill) ?? 0,
    ...(why !== undefined && { why }),
  }));
  return { host: adapter.id, title: adapter.title, model, budget: computed.budget, characters: computed.used, entries, bundled: [] };
}
