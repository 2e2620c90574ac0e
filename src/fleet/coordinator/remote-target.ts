import { basename, extname, isAbsolute, join, resolve } from "node:path";
import { isMachineFolder, listFolder, readBytes, relativePosix, secretsOf, UsageError } from "../../base/index.ts";
import { agentHosts, loadAdapter } from "../../hosts/index.ts";
import { loadAgents, type ModelOptions, type Target, type TargetContext } from "../../targets/index.ts";
import { type BundleFile, packBundle } from "../bundle/bundle.ts";
import type { Described, RunModels, RunTarget } from "../wire/messages.ts";

/** The description of a target for workers, and its files; without keys and values of variables. */
export async function runTarget(
  id: string,
  { cwd, root = cwd, models, settings = {} }: TargetContext,
): Promise<{ target: RunTarget; packed?: Buffer }> {
  const options = { ...settings.options };
  const files: BundleFile[] = [];
  let spec = id;
  if (id.startsWith("script:")) {
    const name = id.slice("script:".length);
    const data = readScript(resolve(cwd, name), name);
    spec = `script:script${extname(name)}`;
    files.push({ path: `script${extname(name)}`, data, executable: false });
  }
  const beside = options["with_skills"];
  if (Array.isArray(beside)) {
    options["with_skills"] = beside.map((folder, index) => {
      const place = `beside-${index}/${basename(String(folder)) || "skills"}`;
      files.push(...filesBelow(resolve(cwd, String(folder)), place));
      return place;
    });
  }
  const context = options["with_context"];
  const agent = id.split(":", 1)[0] ?? "";
  if (context && agentHosts.some((host) => host.agent.id === agent)) {
    const { readContext } = await loadAgents();
    const told = readContext(await loadAdapter(agent), context === true ? root : resolve(root, String(context)));
    for (const { path, content } of told.files)
      files.push({ path: `context/${path}`, data: Buffer.from(content), executable: false });
    options["with_context"] = "context";
  }
  const endpoint = settings.endpoint;
  if (secretsOf({ ADDRESS: endpoint }).length > 0)
    throw new UsageError(
      `The endpoint of ${id} holds a password or a key, which is not sent to workers.`,
      "Set the endpoint in the environment of the workers instead.",
    );
  const target: RunTarget = {
    id,
    spec,
    endpoint,
    variables: Object.keys(settings.env ?? {}),
    options,
    models: withoutKeys(models),
  };
  if (files.length === 0) return { target };
  const { ref, packed } = await packBundle(files);
  return { target: { ...target, files: ref }, packed };
}

export function withoutKeys(models: Pick<ModelOptions, "providers" | "prices"> = {}): RunModels {
  const providers = Object.entries(models.providers ?? {}).map(([name, { baseUrl }]) => {
    if (secretsOf({ ADDRESS: baseUrl }).length > 0)
      throw new UsageError(
        `The address of the provider ${name} holds a password or a key, which is not sent to workers.`,
        "Set it in the environment of the workers instead.",
      );
    return [name, { baseUrl }];
  });
  return { providers: Object.fromEntries(providers), prices: models.prices };
}

/** A target that is described here and asked on workers. */
export function remoteTarget(id: string, { identity, ...described }: Described): Target {
  return {
    ...described,
    id,
    identify: async () => identity,
    open: async () => {
      throw new Error(`${id} is asked on workers, not here`);
    },
  };
}

function readScript(file: string, shown: string): Buffer {
  const read = readBytes(file, { mostBytes: 64 * 1024 * 1024 });
  if (read.status === "bytes") return read.bytes;
  throw new UsageError(
    `Cannot read the script ${shown}: ${read.message}`,
    "script:FILE needs a YAML file with answers.",
  );
}

const MOST_DEPTH = 16;

function filesBelow(root: string, place: string): BundleFile[] {
  const found: BundleFile[] = [];
  const visit = (folder: string, depth: number) => {
    for (const entry of listFolder(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (depth < MOST_DEPTH && !isMachineFolder(entry.name)) visit(path, depth + 1);
        continue;
      }
      const read = readBytes(path, { within: root, mostBytes: 256 * 1024 * 1024 });
      if (read.status === "bytes")
        found.push({ path: `${place}/${relativePosix(root, path)}`, data: read.bytes, executable: false });
    }
  };
  if (isAbsolute(root)) visit(root, 0);
  return found;
}
