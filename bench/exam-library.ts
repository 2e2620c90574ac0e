import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface MadeUp {
  dir: string;
  remove(): void;
}

/** A library of `skills` skills with `questions` triggers, half of them positive, and a script that fires the first skill at every other question. */
export function makeLibrary(skills: number, questions: number, script: Record<string, unknown>): MadeUp {
  const dir = mkdtempSync(join(tmpdir(), "proctor-bench-"));
  const names = Array.from({ length: skills }, (_, index) => `skill-${index + 1}`);
  for (const [index, name] of names.entries()) {
    const folder = join(dir, "skills", name);
    mkdirSync(join(folder, "evals"), { recursive: true });
    writeFileSync(
      join(folder, "SKILL.md"),
      `---\nname: ${name}\ndescription: Does the work of ${name}.\n---\nDo it.\n`,
    );
    const own = Array.from({ length: Math.ceil((questions - index) / skills) }, (_, row) => ({
      query: `Question ${row * skills + index + 1} about ${name}, asked to see what happens`,
      should_trigger: row % 2 === 0,
    }));
    writeFileSync(join(folder, "evals", "triggers.json"), JSON.stringify(own));
  }
  writeFileSync(
    join(dir, "answers.yaml"),
    JSON.stringify({ default: { skills: [names[0]], hit_rate: 0.5 }, ...script }),
  );
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}
