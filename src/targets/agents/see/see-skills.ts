import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { cacheFolder, UsageError } from "../../../base/index.ts";
import type { AgentAdapter, ShownSkills } from "../../../hosts/index.ts";
import { loadAdapter } from "../../../hosts/index.ts";
import { type LoopbackRequest, startLoopback } from "../../../loopback/index.ts";
import type { Library } from "../../../model/index.ts";
import { captureOf, storeCapture } from "../../first-move/capture.ts";
import { allowedEnvironment } from "../process/environment.ts";
import { type FoundAgent, findAgent } from "../process/find-cli.ts";
import { DEFAULT_LIMITS } from "../process/run.ts";
import { startTrial } from "../trial/trial.ts";
import { createWorkspace, removed, stageable } from "../workspace/workspace.ts";
import { type Seen, seenByRules, seenIn } from "./shown-library.ts";

export interface SeeSkillsOptions {
  env: NodeJS.ProcessEnv;
  model?: string;
  /** Leave the host's own skills out, as trials do. */
  hermetic?: boolean;
  cacheDir?: string;
  /** Where `.proctor` is: the first request is stored there for `firstmove:`. */
  root?: string;
  /** Told before the CLI is started, which takes seconds. */
  starting?(cli: string): void;
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

/**
 * Starts the real CLI against a scripted model and looks at its first request: no key, no network, nothing spent. Where there is no CLI, or none
 * that runs, the same from its rules.
 */
export async function seeSkills(host: string, library: Library, options: SeeSkillsOptions): Promise<Seen> {
  const adapter = await loadAdapter(host);
  const model = options.model ?? adapter.defaultModel;
  const found = await findAgent(adapter, options.env, options.cacheDir);
  const byRules = (why: string, hint: string) => {
    const version = found === undefined || found.version === "unknown" ? adapter.tested[1] : found.version;
    const seen = seenByRules({ adapter, model, library, version }, why, options.hermetic === true);
    if (seen !== undefined) return seen;
    throw new UsageError(`${adapter.title} is ${why}, and without it there is no way to work out what it shows.`, hint);
  };
  if (found === undefined) return byRules("not installed", adapter.install);
  options.starting?.(`${adapter.title}${found.version === "unknown" ? "" : ` ${found.version}`}`);
  let first: FirstRequest;
  try {
    first = await firstRequest(adapter, found, model, library, options);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return byRules(`installed, but ${error.message.replace(adapter.title, "it")}`, `It is ${found.path}.`);
  }
  if (options.root !== undefined)
    await storeCapture(
      options.root,
      captureOf({ adapter, version: found.version, model, realistic: !options.hermetic, library }, first),
    );
  if (!listed(first, library))
    return byRules(
      "installed, but there is no listing in its first request that Proctor can read",
      `It is ${found.path}.`,
    );
  return seenIn({ adapter, version: found.version, model, library }, first);
}

/** A version that tells its model of skills in another way looks as if it told it of none. */
function listed({ shown }: FirstRequest, library: Library): boolean {
  return shown.entries.length > 0 || library.skills.every(({ modelInvocable }) => !modelInvocable);
}

export async function firstRequest(
  adapter: AgentAdapter,
  found: FoundAgent,
  model: string,
  library: Library,
  options: SeeSkillsOptions,
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
        cache: join(options.cacheDir ?? cacheFolder(options.env), adapter.id),
        endpoint: `${server.url}/see/1${adapter.endpointPath}`,
        // `!`: every CLI has a variable for its key.
        keys: { [adapter.keys[0]!]: "loopback" },
        maxTurns: 1,
        tools: "read",
        sandboxed: false,
        realistic: !options.hermetic,
        context: false,
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
    if (request === undefined)
      throw new UsageError(`${adapter.title} asked its model nothing${why === "" ? "" : `: ${why}`}`);
    const shown = adapter.shown(request.body, workspace.staged);
    const ids = new Map(
      shown.entries.flatMap(({ name }) => {
        const skill = workspace.staged.byName(name);
        return skill === undefined ? [] : [[name, skill.id] as const];
      }),
    );
    const folders = Object.fromEntries(workspace.staged.skills.map(({ id, folder }) => [id, folder]));
    return { placeholder, request, workspace: workspace.project, folders, shown, ids };
  } finally {
    await workspace.dispose();
    await removed();
    await server.close();
  }
}
