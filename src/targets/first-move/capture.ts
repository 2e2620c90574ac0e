import { randomUUID } from "node:crypto";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { fingerprint, listFolder, ownFolder, readText } from "../../base/index.ts";
import { skillFingerprint } from "../../exam/find/index.ts";
import type { AgentAdapter } from "../../hosts/index.ts";
import { StagedSkills, stagedSkill } from "../../hosts/reading/index.ts";
import type { Library } from "../../model/index.ts";
import type { FirstRequest } from "../agents/see/first-request.ts";

const captureSchema = z.object({
  version: z.literal(1),
  key: z.object({
    host: z.string(),
    hostVersion: z.string(),
    model: z.string(),
    adapter: z.number(),
    realistic: z.boolean(),
    skills: z.string(),
  }),
  capturedAt: z.iso.datetime(),
  placeholder: z.string().min(8),
  workspace: z.string(),
  folders: z.record(z.string(), z.string()),
  protocol: z.string(),
  requestModel: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.record(z.string(), z.unknown()),
});

export type Capture = z.output<typeof captureSchema>;

export interface Captured {
  adapter: AgentAdapter;
  version: string;
  model: string;
  realistic: boolean;
  library: Library;
}

export function captureOf(captured: Captured, first: FirstRequest): Capture {
  const { protocol, model, headers, body } = first.request;
  return {
    version: 1,
    key: keyOf(captured),
    capturedAt: new Date().toISOString(),
    placeholder: first.placeholder,
    workspace: first.workspace,
    folders: first.folders,
    protocol,
    requestModel: model,
    headers,
    body: body as Record<string, unknown>,
  };
}

/** Written atomically under `.proctor/first-requests`, since two runs may store the same one at once. */
export async function storeCapture(root: string, capture: Capture): Promise<void> {
  const file = fileOf(root, capture.key);
  await mkdir(folderIn(root), { recursive: true });
  await writeFile(join(ownFolder(root), ".gitignore"), "*\n", { flag: "wx" }).catch(() => {});
  const unfinished = `${file}.${randomUUID()}`;
  await writeFile(unfinished, JSON.stringify(capture), { mode: 0o600, flag: "wx" });
  await rename(unfinished, file);
}

export function storedCapture(root: string, captured: Captured): Promise<Capture | undefined> {
  return readCapture(fileOf(root, keyOf(captured)));
}

export async function storedCaptures(
  root: string,
  { adapter, model, realistic }: Pick<Captured, "adapter" | "model" | "realistic">,
): Promise<Capture[]> {
  const names = listFolder(folderIn(root)).map(({ name }) => name);
  const own = names.filter((name) => name.startsWith(`${adapter.id}-`) && name.endsWith(".json"));
  const captures = await Promise.all(own.map((name) => readCapture(join(folderIn(root), name))));
  return captures
    .filter((capture) => capture !== undefined)
    .filter(({ key }) => key.model === model && key.adapter === adapter.revision && key.realistic === realistic)
    .sort((a, b) => (a.capturedAt < b.capturedAt ? 1 : -1));
}

/** Covers everything that is sent but the query and the workspace's path. */
export function captureFingerprint({ placeholder, workspace, protocol, requestModel, headers, body }: Capture): string {
  const path = JSON.stringify(workspace).slice(1, -1);
  const sent = JSON.stringify({ protocol, requestModel, headers, body })
    .replaceAll(placeholder, "QUERY")
    .replaceAll(path, "WORKSPACE");
  return fingerprint(JSON.parse(sent)).slice(0, 16);
}

/** The skills as they were in the capture's workspace, which is what paths in an answer refer to. */
export function stagedIn(capture: Capture, library: Library, { skillsDir, naming }: AgentAdapter): StagedSkills {
  const skills = library.skills.flatMap((skill) => {
    const folder = capture.folders[skill.id];
    return folder === undefined ? [] : [stagedSkill(skill, join(capture.workspace, ...skillsDir.split("/"), folder))];
  });
  return new StagedSkills(capture.workspace, skills, { naming });
}

function keyOf({ adapter, version, model, realistic, library }: Captured): Capture["key"] {
  const skills = fingerprint(library.skills.map(skillFingerprint).sort());
  return { host: adapter.id, hostVersion: version, model, adapter: adapter.revision, realistic, skills };
}

function folderIn(root: string): string {
  return ownFolder(root, "first-requests");
}

function fileOf(root: string, key: Capture["key"]): string {
  return join(folderIn(root), `${key.host}-${fingerprint(key).slice(0, 16)}.json`);
}

/** An unreadable file counts as missing: it is captured again. */
async function readCapture(file: string): Promise<Capture | undefined> {
  const read = readText(file, { within: dirname(file), mostBytes: 64_000_000 });
  if (read.status === "unreadable") return undefined;
  try {
    return captureSchema.parse(JSON.parse(read.text));
  } catch {
    return undefined;
  }
}
