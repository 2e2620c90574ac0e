import { didYouMean, UsageError } from "../../base/index.ts";
import { discover, findSkill } from "../../exam/find/index.ts";
import { type Promotion, promotePrompt } from "../../formats/index.ts";

export interface PromoteOptions {
  /** Default: the working directory of the process. */
  cwd?: string;
  /** The prompt's id or folder. */
  id: string;
  /** `draft`, `tested` or `ready`. */
  to: string;
  /** Why the prompt goes back to an earlier status. */
  reason?: string;
}

export async function promote({ cwd = process.cwd(), id, to, reason }: PromoteOptions): Promise<Promotion> {
  const { libraries } = await discover({ cwd });
  const found = libraries.flatMap((library) => findSkill(library, id)).filter(({ source }) => source.kind === "eva");
  const [prompt] = found;
  if (prompt !== undefined && found.length === 1) return promotePrompt(prompt.dir, to, reason);
  const prompts = libraries.flatMap((library) => library.skills.filter(({ source }) => source.kind === "eva"));
  throw unknown(
    id,
    found.length,
    prompts.map((one) => one.id),
  );
}

function unknown(id: string, count: number, ids: string[]): UsageError {
  if (count > 1) return new UsageError(`Several prompts are called "${id}".`, "Give the folder of the one you mean.");
  const otherwise = "Promotion is for folders with meta.yml and prompt.xml.";
  return new UsageError(`There is no eva prompt "${id}" here.`, didYouMean(id, ids, otherwise));
}
