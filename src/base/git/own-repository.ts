import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../files/temporary-folder.ts";
import { kindAt, realPath } from "../files/untrusted.ts";
import type { Repository } from "./repository.ts";

/** A temporary repository of ours that borrows another one's objects. */
export interface OwnRepository {
  place: string;
  env: NodeJS.ProcessEnv;
  run(args: readonly string[], limits?: { timeout?: number; maxBuffer?: number }): Promise<string | undefined>;
  remove(): void;
}

/**
 * git is only ever started on a repository of our own: empty configuration, no hooks, no remote, the other repository's
 * objects, and no attributes but the working tree's, whose filters are not configured here. Undefined if the objects
 * are not in their usual place.
 */
export function openOwn({ worktree, common }: Repository, head: string): OwnRepository | undefined {
  const objects = join(common, "objects");
  if (kindAt(objects, common) !== "folder" || realPath(objects) !== objects) return undefined;
  const { path: place, remove } = temporaryFolder("proctor-git-");
  const format =
    head.length === 64
      ? "\trepositoryformatversion = 1\n[extensions]\n\tobjectFormat = sha256\n"
      : "\trepositoryformatversion = 0\n";
  mkdirSync(join(place, "refs"));
  mkdirSync(join(place, "objects"));
  writeFileSync(
    join(place, "config"),
    `[core]\n\tbare = false\n\tfsmonitor = false\n\thooksPath = /dev/null\n${format}`,
  );
  writeFileSync(join(place, "HEAD"), `${head}\n`);
  const env = {
    PATH: process.env["PATH"],
    SystemRoot: process.env["SystemRoot"],
    HOME: place,
    XDG_CONFIG_HOME: place,
    LC_ALL: "C",
    GIT_DIR: place,
    GIT_WORK_TREE: worktree,
    GIT_OBJECT_DIRECTORY: objects,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_SYSTEM: "/dev/null",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_PROTOCOL_FROM_USER: "0",
    GIT_ALLOW_PROTOCOL: "none",
  };
  return {
    place,
    env,
    run: (args, { timeout = 5_000, maxBuffer = 16_000_000 } = {}) =>
      new Promise((done) => {
        execFile("git", [...args], { cwd: place, env, timeout, killSignal: "SIGKILL", maxBuffer }, (error, stdout) =>
          done(error === null ? stdout : undefined),
        );
      }),
    remove,
  };
}
