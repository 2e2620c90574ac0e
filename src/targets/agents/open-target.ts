import { failedEnd } from "../../hosts/reading/index.ts";
import type { Library, TrialError } from "../../model/index.ts";
import type { Answer, OpenTarget } from "../target.ts";
import { startAsk, timeLimit } from "./ask-cell.ts";
import { askCanary, CanaryCosts, checkCell } from "./canary.ts";
import { caseWork, prepareCase, shownFor } from "./case-work.ts";
import { type Cell, loginMissing } from "./cell.ts";
import { refuseCommands } from "./refuse-commands.ts";
import { loginOver } from "./users-login.ts";
import { createWorkspace, removed, stageable, sweepWorkspaces } from "./workspace/workspace.ts";

export async function openAgentTarget(opened: Cell, library: Library): Promise<OpenTarget> {
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
        return { work, trial: refused ?? (await startAsk(cell, { workspace, ask, asking })) };
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
