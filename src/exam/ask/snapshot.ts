import { join } from "node:path";
import { copyFileTo, readBytes, relativePosix, sha256, UsageError } from "../../base/index.ts";
import { contentHash, makeAsk } from "../../formats/index.ts";
import type { Ask, Library, QuestionFile } from "../../model/index.ts";
import { loadAgents } from "../../targets/index.ts";
import { copyLibrary, skillFilesFingerprint, skillFilesIn } from "../find/index.ts";
import type { Exam, PlannedAsk } from "../plan/index.ts";
import { type CachedSkill, stageLibrary } from "../record/index.ts";

/** An exam that edits during the run cannot change. */
export interface Snapshot {
  exam: Exam;
  /** A private copy if a target reads the files. */
  library: Library;
  /** Everything about the skills that can change an answer. */
  staged: CachedSkill[];
  copied: boolean;
  /** Skills and files edited or added since. Files are relative to the library's root. */
  changed(): Promise<string[]>;
  remove(): Promise<void>;
}

const READ_NO_FILES = new Set(["embedded", "judge", "router", "model", "script", "replay"]);

export async function takeSnapshot(exam: Exam): Promise<Snapshot> {
  if (exam.targets.every(({ target }) => READ_NO_FILES.has(target.kind)))
    return watched({ exam, library: exam.library, remove: async () => {} });
  const { path, remove } = await (await loadAgents()).privateFolder();
  try {
    const library = await copyLibrary(exam.library, join(path, "library"));
    const asks = copyFiles(exam, join(path, "files"));
    for (const [index, { target }] of exam.targets.entries())
      await target.freeze?.(join(path, "beside", String(index)));
    return await watched({ exam: { ...exam, plan: { ...exam.plan, asks } }, library, remove, original: exam });
  } catch (error) {
    await remove();
    throw error;
  }
}

async function watched(copy: Pick<Snapshot, "exam" | "library" | "remove"> & { original?: Exam }): Promise<Snapshot> {
  const { exam, library, remove, original = exam } = copy;
  const staged = await stageLibrary(library);
  const known = new Set(skillFilesIn(original.library.root));
  const before = new Map([...staged.map(({ id, files }) => [id, files] as const), ...questionPrints(original)]);
  return {
    exam,
    library,
    staged,
    copied: original !== exam,
    async changed() {
      const now = questionPrints(original);
      for (const skill of original.library.skills) now.set(skill.id, await skillFilesFingerprint(skill, "now"));
      const edited = [...before.keys()].filter((name) => before.get(name) !== now.get(name));
      const { root } = original.library;
      const added = skillFilesIn(root).filter((file) => !known.has(file));
      const beside = await Promise.all(original.targets.map(async ({ target }) => (await target.edited?.()) ?? []));
      return [...new Set([...edited, ...added.map((file) => relativePosix(root, file)), ...beside.flat()])].sort();
    },
    remove,
  };
}

function questionPrints({ library, plan }: Exam): Map<string, string> {
  const prints = new Map<string, string>();
  for (const file of plan.suite.files) {
    const read = readBytes(join(library.root, file), { within: library.root });
    prints.set(file, read.status === "bytes" ? sha256(read.bytes) : read.reason);
  }
  for (const file of new Set(plan.asks.flatMap(({ ask }) => ask.files)))
    if ("from" in file) prints.set(relativePosix(library.root, file.from), contentHash(file));
  return prints;
}

function copyFiles({ plan, library }: Exam, into: string): PlannedAsk[] {
  const asks = new Map<Ask, Ask>();
  let count = 0;
  const copied = (file: QuestionFile): QuestionFile => {
    if (!("from" in file)) return file;
    const to = join(into, String(count++));
    const done = copyFileTo(file.from, to, { within: file.within });
    if (done.status === "copied") return { path: file.path, from: to };
    throw new UsageError(
      `${relativePosix(library.root, file.from)} cannot be staged: ${done.message}.`,
      "Put a regular file there, or correct the suite.",
    );
  };
  return plan.asks.map((planned) => {
    const { ask } = planned;
    if (ask.files.every((file) => "content" in file)) return planned;
    let frozen = asks.get(ask);
    if (frozen === undefined) {
      frozen = makeAsk.withFiles(ask, ask.files.map(copied));
      if (frozen.key !== ask.key)
        throw new UsageError(
          "A file of a question was edited while the run was being prepared.",
          "Start the run again once it is saved.",
        );
      asks.set(ask, frozen);
    }
    return { ...planned, ask: frozen };
  });
}
