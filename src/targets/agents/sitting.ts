import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createMask, keepIfPossible } from "../../base/index.ts";
import { failedEnd, notLoggedIn, StagedSkills } from "../../hosts/reading/index.ts";
import type { Ask, Library, TrialError, TrialEvent } from "../../model/index.ts";
import type { Answer, Asking, Sitting } from "../target.ts";
import { CANARY, checkCell } from "./canary.ts";
import { CanaryCosts } from "./canary-costs.ts";
import { caseWork, prepareCase, shownFor } from "./case-work.ts";
import { allowedEnvironment, picked } from "./process/environment.ts";
import { DEFAULT_LIMITS } from "./process/run.ts";
import { refuseCommands } from "./refuse-commands.ts";
import type { Cell } from "./target.ts";
import { converse, type Turn } from "./trial/conversation.ts";
import { type RunningTrial, startTrial, type TrialRequest } from "./trial/trial.ts";
import { loginOver } from "./users-login.ts";
import { createWorkspace, removed, stageable, sweepWorkspaces, type Workspace } from "./workspace/workspace.ts";

/** A case is work to be done; six turns show who was called, not whether the job gets finished. */
const CASE_TURNS = 50;

/** A cell with a library before it. The canary is put to it before the first question. */
export async function openSitting(opened: Cell, library: Library): Promise<Sitting> {
  refuseCommands(opened, library.skills);
  // The exam lies there, and skills that are not staged.
  const cell = { ...opened, sandbox: opened.sandbox?.hiding([library.root, library.copyOf ?? library.root]) };
  await sweepWorkspaces();
  const skills = [...(await stageable(library)), ...(cell.distractors?.skills ?? [])];
  const running = new Set<Answer>();
  let canary: Promise<TrialError | undefined> | undefined;
  const canaryCosts = new CanaryCosts();
  const closing = new AbortController();
  const trusted = (timeoutMs?: number) => {
    const putCanary = async (prompt: string) => {
      const heard = await askCanary(cell, prompt, { signal: closing.signal, timeoutMs });
      canaryCosts.note(heard.events);
      return heard;
    };
    canary ??=
      loginMissing(cell) ??
      (cell.options.canary ? checkCell(cell.identity, cell.cache, putCanary) : Promise.resolve(undefined));
    return canary;
  };

  return {
    async ready({ signal, timeoutMs }) {
      // The run's own signal: the canary is for all of its questions.
      const stop = () => closing.abort();
      if (signal.aborted) stop();
      signal.addEventListener("abort", stop, { once: true });
      await trusted(timeoutMs).finally(() => signal.removeEventListener("abort", stop));
    },
    async ask(ask, asking) {
      const failure = (await trusted(asking.timeoutMs)) ?? loginOver(cell.adapter, cell.login, timeLimit(ask, asking));
      if (failure !== undefined) {
        // What can pass is tried again with the next question.
        if (failure.retryable) canary = undefined;
        return { events: [canaryCosts.settle(failedEnd(failure))], dispose: async () => {} };
      }
      const workspace = await createWorkspace({
        skills: await shownFor(ask, skills, cell),
        skillsDir: cell.adapter.skillsDir,
        naming: cell.adapter.naming,
        files: ask.files,
        context: cell.context,
        keep: cell.options.keep_workspaces,
      });
      const begin = async () => {
        const refused = ask.kind === "case" ? await prepareCase(workspace, ask, cell) : undefined;
        // What is there is looked at before the examinee has done anything.
        const work = ask.kind === "case" ? caseWork(workspace, cell) : {};
        return { work, trial: refused ?? (await begun(cell, workspace, ask, asking)) };
      };
      const { trial, work } = await begin().catch(async (error: unknown) => {
        await workspace.dispose();
        throw error;
      });
      const answer: Answer = {
        events: canaryCosts.settled(trial.events),
        workspace: workspace.project,
        ...work,
        raw: trial.raw,
        async dispose() {
          running.delete(answer);
          await trial.stop();
          await workspace.dispose();
        },
      };
      running.add(answer);
      return answer;
    },
    close: async () => {
      closing.abort();
      await canary?.catch(() => {});
      await Promise.all([...running].map((answer) => answer.dispose()));
      await removed();
    },
  };
}

/** One message, or a conversation where the case has more of them. */
async function begun(cell: Cell, workspace: Workspace, ask: Ask, asking: Asking): Promise<RunningTrial> {
  const { next } = asking;
  if (next === undefined || cell.adapter.conversation === undefined) return start(cell, workspace, ask, asking);
  const turn = async (prompt: string, resumes?: string, used = 0): Promise<Turn> => {
    let session = resumes;
    const limits = { ...ask.limits, maxTurns: Math.max(1, (ask.limits.maxTurns ?? CASE_TURNS) - used) };
    const message = resumes === undefined ? { ...ask, prompt } : { ...ask, prompt, limits, messages: [] };
    const told = {
      resumes: resumes === undefined ? undefined : { session: resumes, turns: used },
      onSession: (id: string) => (session = id),
    };
    return { trial: await start(cell, workspace, message, asking, undefined, told), session: () => session };
  };
  const resume = (session: string, prompt: string, used: number) => turn(prompt, session, used);
  return converse({ first: await turn(ask.prompt), next, resume, totals: cell.adapter.conversation.tellsTotals });
}

export function loginMissing({ adapter, env, targetEnv, login }: Cell): Promise<TrialError> | undefined {
  const present =
    login !== undefined ||
    adapter.keys.length === 0 ||
    adapter.keys.some((name) => env[name]) ||
    Object.keys(targetEnv).length > 0;
  return present ? undefined : Promise.resolve(notLoggedIn(adapter));
}

/** With `system` it only speaks: no tools, one turn. */
export function start(
  cell: Cell,
  workspace: Workspace,
  ask: Pick<Ask, "kind" | "prompt" | "messages" | "limits">,
  asking: Asking,
  system?: string,
  session: Pick<TrialRequest, "resumes" | "onSession"> = {},
): Promise<RunningTrial> {
  const { adapter, options } = cell;
  const prompt = withEarlier(ask);
  return startTrial({
    adapter,
    file: cell.file,
    setup: {
      model: cell.model,
      prompt,
      workspace: workspace.project,
      home: workspace.home,
      tmp: workspace.tmp,
      cache: join(cell.cache, adapter.id),
      endpoint: cell.endpoint,
      // A key would go before the login.
      keys: cell.login === undefined ? picked(cell.env, adapter.keys) : (cell.login.env ?? {}),
      ...(cell.login && { login: cell.login.kind }),
      system,
      maxTurns:
        system !== undefined
          ? 1
          : (ask.limits.maxTurns ??
            (ask.kind === "case" ? Math.max(CASE_TURNS, options.max_turns) : options.max_turns)),
      tools: system !== undefined ? "none" : ask.kind === "case" ? "work" : "read",
      sandboxed: cell.sandbox !== undefined || options.sandbox === "off",
      realistic: options.realistic,
      context: cell.context !== undefined && system === undefined,
      decisive: decisive(workspace.staged, asking),
    },
    env: allowedEnvironment(cell.env),
    targetEnv: cell.targetEnv,
    workspace,
    sandbox: cell.sandbox?.hiding([], prompt),
    files: cell.login?.files ?? [],
    limits: {
      ...DEFAULT_LIMITS,
      firstEventMs: adapter.firstEventMs ?? DEFAULT_LIMITS.firstEventMs,
      totalMs: timeLimit(ask, asking),
    },
    signal: asking.signal,
    ...session,
    decided: (activations) => asking.decided(activations),
  });
}

/** The names of the skills whose load alone settles every question on the trial. */
function decisive(staged: StagedSkills, asking: Asking): string[] {
  const skills = staged.skills.filter((skill) => asking.decided([{ skill: skill.id, turn: 1, evidence: "loaded" }]));
  return [...new Set(skills.flatMap((skill) => staged.namesOf(skill)))];
}

/** A little less than the exam allows, so that the reason is ours to tell. */
function timeLimit(ask: Pick<Ask, "limits">, asking: Asking): number {
  const allowed =
    asking.timeoutMs ??
    (ask.limits.timeoutSeconds === undefined ? DEFAULT_LIMITS.totalMs : ask.limits.timeoutSeconds * 1000);
  return asking.timeoutMs === undefined ? allowed : Math.max(allowed * 0.8, allowed - 3_000);
}

async function askCanary(
  cell: Cell,
  prompt: string,
  limits: Pick<Asking, "signal" | "timeoutMs">,
): Promise<{ events: TrialEvent[]; kept: string | undefined }> {
  const { skillsDir, naming, id } = cell.adapter;
  const content = `---\nname: ${CANARY.name}\ndescription: ${CANARY.description}\n---\n\n${CANARY.body}\n`;
  const workspace = await createWorkspace({ skills: [], skillsDir, files: [], keep: false });
  const dir = join(workspace.project, ...skillsDir.split("/"), CANARY.name);
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, "SKILL.md"), content);
  workspace.staged = new StagedSkills(
    workspace.project,
    [{ ...CANARY, id: CANARY.name, folder: CANARY.name, dir, file: join(dir, "SKILL.md") }],
    naming,
  );
  const asking: Asking = {
    run: 1,
    ...limits,
    decided: (activations) => activations.some(({ evidence }) => evidence !== "refused"),
  };
  try {
    const trial = await start(cell, workspace, { kind: "trigger", prompt, messages: [], limits: {} }, asking);
    const events: TrialEvent[] = [];
    for await (const event of trial.events) events.push(event);
    const file = join(cell.cache, "canary", `${id}-last.jsonl`);
    const mask = createMask([...(cell.login?.secrets ?? []), ...Object.values(picked(cell.env, cell.adapter.keys))]);
    return { events, kept: keepIfPossible(file, mask(trial.raw())) };
  } finally {
    await workspace.dispose();
  }
}

/** The CLIs take one prompt; what was said before is told in it. */
export function withEarlier(ask: Pick<Ask, "prompt" | "messages">): string {
  if (ask.messages.length === 0) return ask.prompt;
  const earlier = ask.messages.map(({ role, content }) => `${role === "user" ? "User" : "Assistant"}: ${content}`);
  return `Our conversation so far:\n\n${earlier.join("\n\n")}\n\nMy next message:\n\n${ask.prompt}`;
}
