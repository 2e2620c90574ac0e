import { copyFileSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { gradeQuestion } from "../../../src/graders/index.ts";
import { prepareCase } from "../../../src/targets/agents/case-work.ts";
import { findSandbox } from "../../../src/targets/agents/process/find-sandbox.ts";
import { DEFAULT_LIMITS, startProcess } from "../../../src/targets/agents/process/running-process.ts";
import { programsIn } from "../../../src/targets/agents/programs.ts";
import { createWorkspace, type Workspace } from "../../../src/targets/agents/workspace/workspace.ts";

/** Has the probe run by everybody who starts something in a sandbox, and prints what each found. It is a program so that it can be another user's. */

const env = { PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin` };
const socket = `\0proctor-probe-${process.pid}`;

const starters: Record<string, (line: string, workspace: Workspace) => Promise<unknown>> = {
  agent: (line, { root, tmp, project, marker }) =>
    startProcess(
      {
        ...findSandbox(env)!.wrap({ file: "/bin/sh", args: ["-c", line], env }, { root, tmp, writable: [] }),
        ...{ env, cwd: project, marker, stopSignal: "SIGKILL" },
      },
      DEFAULT_LIMITS,
    ).exit,
  setup: (line, workspace) =>
    prepareCase(workspace, { setup: [line] } as never, { options: { sandbox: "on" }, env } as never),
  command: (line, workspace) =>
    gradeQuestion([{ type: "command", config: { run: line } }], { outcome: { status: "activations" } } as never, {
      prompt: "",
      programs: programsIn(workspace, { sandbox: "on", env }),
    }),
};

const server = createServer().listen({ path: socket });
const found: Record<string, unknown> = {};
for (const [who, start] of Object.entries(starters)) {
  const workspace = await createWorkspace({ skills: [], skillsDir: ".skills", files: [], keep: false });
  const { project, root } = workspace;
  copyFileSync(join(import.meta.dirname, "probe.cjs"), join(project, "probe.cjs"));
  const ended = await start(
    `exec >descriptors; ls -l /proc/$$/fd; exec >found; node probe.cjs ${socket.slice(1)}`,
    workspace,
  );
  try {
    const descriptors = readFileSync(join(project, "descriptors"), "utf8").matchAll(/ (\d+) -> (.*)$/gm);
    const { folders, ...rest } = JSON.parse(readFileSync(join(project, "found"), "utf8")) as { folders: string[] };
    found[who] = {
      ...rest,
      folders: folders.map((path) => (path === root ? "its own folder" : path)),
      descriptors: [...descriptors].filter(([, number]) => Number(number) > 2).map(([, , file]) => file),
    };
  } catch (error) {
    found[who] = { failed: String(error), ended };
  }
  await workspace.dispose();
}
server.close();
console.log(JSON.stringify(found));
