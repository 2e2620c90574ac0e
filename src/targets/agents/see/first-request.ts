import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { cacheFolder, UsageError } from "../../../base/index.ts";
import type { AgentAdapter, ShownSkills } from "../../../hosts/index.ts";
import { type LoopbackRequest, startLoopback } from "../../../loopback/index.ts";
import type { Library } from "../../../model/index.ts";
import { allowedEnvironment } from "../process/environment.ts";
import { DEFAULT_LIMITS } from "../process/running-process.ts";
import { startTrial } from "../trial/trial.ts";
import { createWorkspace, removed, stageable } from "../workspace/workspace.ts";

export interface FirstRequest {
  placeholder: string;
  request: LoopbackRequest;
  /** The workspace (absolute, and gone by now), and the folder of each skill in it. */
  workspace: string;
  folders: Record<string, string>;
  shown: ShownSkills;
  ids: Map<string, string>;
}

interface FirstRequestOptions {
  adapter: AgentAdapter;
  file: string;
  model: string;
  library: Library;
  env: NodeJS.ProcessEnv;
  hermetic?: boolean | undefined;
  cacheDir?: string | undefined;
}

export async function firstRequest({
  adapter,
  file,
  model,
  library,
  env,
  hermetic,
  cacheDir = cacheFolder(env),
}: FirstRequestOptions): Promise<FirstRequest> {
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
      file,
      setup: {
        model,
        prompt: placeholder,
        workspace: workspace.project,
        home: workspace.home,
        tmp: workspace.tmp,
        cache: join(cacheDir, adapter.id),
        endpoint: `${server.url}/see/1${adapter.endpointPath}`,
        // `!`: every CLI has a variable for its key.
        keys: { [adapter.keys[0]!]: "loopback" },
        maxTurns: 1,
        tools: "read",
        sandboxed: false,
        realistic: !hermetic,
        context: false,
        decisive: [],
      },
      env: allowedEnvironment(env),
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
