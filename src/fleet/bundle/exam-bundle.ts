import { basename, join, resolve } from "node:path";
import { isExecutable, isWithin, kindAt, readBytes, relativePosix, UsageError } from "../../base/index.ts";
import type { Snapshot } from "../../exam/ask/index.ts";
import { readSkill, skillFiles } from "../../exam/find/index.ts";
import type { Job } from "../../exam/grade/index.ts";
import type { Exam } from "../../exam/plan/index.ts";
import type { Ask, Library, Skill } from "../../model/index.ts";
import type { BundleFile } from "./bundle.ts";

/** The files an exam's trials need, and how jobs refer to them. */
export interface PackedExam {
  files: BundleFile[];
  /** The job with its paths in the bundle. */
  portable(job: Job): Job;
}

/**
 * Packs the library, the files of its questions and those that graders read; only the cards if no target reads files.
 */
export async function packExam({ exam, library, copied }: Snapshot): Promise<PackedExam> {
  const files = new Map<string, BundleFile>();
  const put = (path: string, from: string, within: string) => {
    if (files.has(path)) return;
    const read = readBytes(from, { within, mostBytes: MOST_FILE });
    if (read.status !== "bytes")
      throw new UsageError(`${from} cannot be sent to workers: ${read.message}.`, "Put a regular file there.");
    files.set(path, { path, data: read.bytes, executable: isExecutable(from) });
  };
  files.set(EXAM, { path: EXAM, data: Buffer.from(JSON.stringify(portableLibrary(library))), executable: false });
  if (copied)
    for (const skill of library.skills)
      for (const name of await skillFiles(skill)) {
        const path = join(skill.dir, name);
        put(`library/${relativePosix(library.root, path)}`, path, library.root);
      }

  const asks = new Map<Ask, Ask>();
  const placed = new Map<string, string>();
  const versions = new Map<string, string>();
  for (const { ask } of exam.plan.asks) {
    if (asks.has(ask) || (ask.variant?.folder === undefined && ask.files.every((file) => "content" in file))) continue;
    const portable = ask.files.map((file) => {
      if ("content" in file) return file;
      // The targets read no files.
      if (!copied) return { path: file.path, content: "" };
      let path = placed.get(file.from);
      if (path === undefined) {
        path = `files/${placed.size}`;
        placed.set(file.from, path);
        put(path, file.from, file.within ?? resolve(file.from, ".."));
      }
      return { path: file.path, from: path };
    });
    asks.set(ask, { ...ask, files: portable, ...(await portableVariant(ask, versions, copied ? put : () => {})) });
  }
  const dirs = suiteFolders(exam, put);
  return {
    files: [...files.values()],
    portable: (job) => ({
      ...job,
      ask: asks.get(job.ask) ?? job.ask,
      questions: job.questions.map((check) => ("dir" in check ? { ...check, dir: dirs.get(check.dir) ?? "" } : check)),
    }),
  };
}

/** Another version of a skill, with its folder in the bundle. */
async function portableVariant(
  { variant }: Ask,
  versions: Map<string, string>,
  put: (path: string, from: string, within: string) => void,
): Promise<Pick<Ask, "variant">> {
  if (variant?.folder === undefined) return {};
  const { folder } = variant;
  let path = versions.get(folder);
  if (path === undefined) {
    // Some hosts name a skill after its folder.
    path = `versions/${versions.size}/${basename(folder)}`;
    versions.set(folder, path);
    for (const name of await skillFiles(await readSkill(join(folder, "SKILL.md"))))
      put(`${path}/${name}`, join(folder, name), folder);
  }
  return { variant: { ...variant, folder: path } };
}

/** Opens the exam of a bundle unpacked into this folder. */
export function openExam(folder: string): { library: Library; local(job: Job): Job } {
  const read = readBytes(join(folder, EXAM), { within: folder, mostBytes: MOST_FILE });
  if (read.status !== "bytes") throw new Error(`the bundle has no exam: ${read.message}`);
  const place = (path: string) => {
    const at = resolve(folder, path);
    if (!isWithin(folder, at)) throw new Error("a job names a file outside its exam");
    return at;
  };
  return {
    library: localLibrary(JSON.parse(read.bytes.toString()) as Library, join(folder, "library")),
    local: (job) => ({
      ...job,
      ask: {
        ...job.ask,
        files: job.ask.files.map((file) =>
          "content" in file ? file : { path: file.path, from: place(file.from), within: folder },
        ),
        ...(job.ask.variant?.folder !== undefined && {
          variant: { ...job.ask.variant, folder: place(job.ask.variant.folder) },
        }),
      },
      questions: job.questions.map((check) => ("dir" in check ? { ...check, dir: place(check.dir) } : check)),
    }),
  };
}

const EXAM = "exam.json";
const MOST_FILE = 256 * 1024 * 1024;

/** A grader may name files relative to its suite anywhere in its configuration. */
function suiteFolders({ plan }: Exam, put: (path: string, from: string, within: string) => void): Map<string, string> {
  const folders = new Map<string, string>();
  for (const { questions } of plan.asks) {
    for (const { check } of questions) {
      if (!("graders" in check)) continue;
      const folder = folders.get(check.dir) ?? `suites/${folders.size}`;
      folders.set(check.dir, folder);
      for (const { config } of check.graders)
        for (const text of textsIn(config)) {
          const file = resolve(check.dir, text);
          if (isWithin(check.dir, file) && kindAt(file, check.dir) === "file")
            put(`${folder}/${relativePosix(check.dir, file)}`, file, check.dir);
        }
    }
  }
  return folders;
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return value !== "" && value.length < 1_000 && !value.includes("\0") ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** The library with relative paths, without exam and problems. */
function portableLibrary(library: Library): object {
  const relative = (path: string) => relativePosix(library.root, path);
  const skills = library.skills.map(({ exam: _, ...skill }) => ({
    ...skill,
    root: "",
    dir: relative(skill.dir),
    file: relative(skill.file),
    source: { ...skill.source, copies: [] },
    problems: [],
    reading: skill.reading && { ...skill.reading, fields: [...skill.reading.fields], openaiFault: undefined },
  }));
  return { ...library, root: "", skills, problems: [] };
}

function localLibrary(library: Library, root: string): Library {
  const skills = library.skills.map((skill): Skill => {
    const { reading } = skill;
    return {
      ...skill,
      root,
      dir: join(root, skill.dir),
      file: join(root, skill.file),
      ...(reading && { reading: { ...reading, fields: new Map(reading.fields) } }),
    };
  });
  return { ...library, root, skills };
}
