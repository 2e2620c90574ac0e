import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { discover } from "../src/exam/find/index.ts";
import { predictedVerdict } from "../src/model/index.ts";
import { openPredictor } from "../src/targets/embedded/index.ts";

interface EverydayPrompt {
  prompt: string;
  skill: string | null;
  not: string;
}

const LIBRARIES = { shop: "shop", kitchen: "everyday/kitchen", desk: "everyday/desk", workshop: "everyday/workshop" };

/** The hundred prompts of people who have not seen the cards, put to the router as it is in the package. */
export async function askEveryday(packages?: string): Promise<string> {
  const lines: string[] = [];
  // Where `embedded:minilm` looks for its packages.
  if (packages !== undefined) process.env["PROCTOR_PACKAGES"] = packages;
  for (const target of packages === undefined ? ["embedded", "embedded:keywords"] : ["embedded", "embedded:minilm"]) {
    const sum = {
      prompts: 0,
      positives: 0,
      first: 0,
      questions: 0,
      yes: { told: 0, right: 0 },
      no: { told: 0, right: 0 },
    };
    for (const [name, folder] of Object.entries(LIBRARIES)) {
      const { libraries } = await discover({ cwd: examples(folder), root: examples(folder) });
      const library = libraries[0]!;
      const predict = await openPredictor(target, library, { root: packages });
      const ids = new Map(library.skills.map((skill) => [skill.name, skill.id]));
      for (const { prompt, skill, not } of promptsOf(name)) {
        const prediction = await predict(prompt);
        sum.prompts++;
        if (skill !== null) sum.positives++;
        if (skill !== null && prediction.ranking[0]?.skill === ids.get(skill)) sum.first++;
        for (const [about, positive] of [...(skill === null ? [] : [[skill, true] as const]), [not, false] as const]) {
          const verdict = predictedVerdict(prediction, ids.get(about)!);
          sum.questions++;
          if (verdict === "uncertain") continue;
          const answer = verdict === "fires" ? sum.yes : sum.no;
          answer.told++;
          if ((verdict === "fires") === positive) answer.right++;
        }
      }
    }
    const told = sum.yes.told + sum.no.told;
    const share = (part: number, of: number) => `${part} of ${of} (${of === 0 ? "—" : (part / of).toFixed(2)})`;
    lines.push(
      target,
      `  ranked first            ${share(sum.first, sum.positives)}`,
      `  sure about              ${share(told, sum.questions)}`,
      `  right when sure         ${share(sum.yes.right + sum.no.right, told)}`,
      `  right when it says yes  ${share(sum.yes.right, sum.yes.told)}`,
      `  right when it says no   ${share(sum.no.right, sum.no.told)}`,
    );
  }
  return lines.join("\n");
}

function examples(path: string): string {
  return fileURLToPath(new URL(`../examples/${path}`, import.meta.url));
}

function promptsOf(library: string): EverydayPrompt[] {
  return readFileSync(examples(`everyday/${library}.jsonl`), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}
