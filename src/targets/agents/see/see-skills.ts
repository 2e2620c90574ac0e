import { UsageError } from "../../../base/index.ts";
import { loadAdapter } from "../../../hosts/index.ts";
import type { Library } from "../../../model/index.ts";
import { captureOf, storeCapture } from "../../first-move/capture.ts";
import { findAgent } from "../process/find-cli.ts";
import { type FirstRequest, firstRequest } from "./first-request.ts";
import { type Seen, seenByRules, seenIn } from "./shown-library.ts";

export interface SeeSkillsOptions {
  env: NodeJS.ProcessEnv;
  model?: string;
  hermetic?: boolean;
  cacheDir?: string;
  /** The folder with `.proctor`, where the first request is stored for `firstmove:`. */
  root?: string;
  starting?(cli: string): void;
}

/**
 * Starts the real CLI against a scripted model and reads its first request: no key, no network, no cost. Without a CLI
 * that runs, the host's rules give the answer.
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
    first = await firstRequest({ adapter, file: found.path, model, library, ...options });
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

/** A version that lists skills in an unknown way looks as if it listed none. */
function listed({ shown }: FirstRequest, library: Library): boolean {
  return shown.entries.length > 0 || library.skills.every(({ modelInvocable }) => !modelInvocable);
}
