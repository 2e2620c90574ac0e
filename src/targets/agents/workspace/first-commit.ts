import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";

/**
 * Makes the workspace a repository with everything in one commit. A case's `setup` has run in the folder, so any
 * `.git` it left is removed, and git runs without configuration, hooks or filters (attributes may name some, but
 * nothing defines them). Returns false without git; then there is no repository.
 */
export async function firstCommit(project: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  await rm(join(project, ".git"), { recursive: true, force: true });
  const git = (...args: string[]) => runGit(args, project, env);
  const made =
    (await git("init", "--quiet", "--initial-branch=main", "--template=")) &&
    (await git("add", "--all", "--force")) &&
    (await git("commit", "--quiet", "--allow-empty", "--no-verify", "-m", "Start"));
  return made;
}

const WHO = { NAME: "Proctor", EMAIL: "proctor@localhost", DATE: "2026-01-01T00:00:00Z" };

function runGit(args: string[], cwd: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const own = {
    PATH: env["PATH"],
    SystemRoot: env["SystemRoot"],
    HOME: cwd,
    XDG_CONFIG_HOME: join(cwd, ".git"),
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_SYSTEM: "/dev/null",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ALLOW_PROTOCOL: "none",
    GIT_CEILING_DIRECTORIES: join(cwd, ".."),
    ...Object.fromEntries(
      Object.entries(WHO).flatMap(([what, value]) => [
        [`GIT_AUTHOR_${what}`, value],
        [`GIT_COMMITTER_${what}`, value],
      ]),
    ),
  };
  const settings = [
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.autocrlf=false",
    "-c",
    "commit.gpgSign=false",
    "-c",
    "gc.auto=0",
  ];
  return new Promise((done) => {
    execFile("git", [...settings, ...args], { cwd, env: own, timeout: 30_000, killSignal: "SIGKILL" }, (error) =>
      done(error === null),
    );
  });
}
