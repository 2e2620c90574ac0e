import { execFile } from "node:child_process";

/** The commit that is checked out and whether anything differs from it; undefined outside a repository. */
export async function gitState(cwd: string): Promise<{ commit: string; dirty: boolean } | undefined> {
  const [commit, status] = await Promise.all([git(cwd, "rev-parse", "HEAD"), git(cwd, "status", "--porcelain", "--untracked-files=no")]);
  return commit === undefined || status === undefined ? undefined : { commit: commit.trim(), dirty: status.trim() !== "" };
}

function git(cwd: string, ...args: string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    // --no-optional-locks: looking must not disturb a git command the person runs at the same time.
    execFile("git", ["--no-optional-locks", ...args], { cwd, timeout: 5_000, maxBuffer: 16_000_000 }, (error, stdout) =>
      resolve(error === null ? stdout : undefined),
    );
  });
}
