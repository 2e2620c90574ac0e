import { afterAll, expect, test } from "vitest";
import { skillFiles } from "../../src/exam/find/index.ts";
import { World } from "../world.ts";

const world = new World();
afterAll(() => world.remove());

const rows = [
  { query: "read this pdf", should_trigger: true },
  { query: "cook some rice", should_trigger: false },
];
const yaml = rows.map((row) => `- query: ${row.query}\n  should_trigger: ${row.should_trigger}\n`).join("");
const csv = (separator: string) =>
  [["query", "should_trigger"], ...rows.map(Object.values)].map((row) => row.join(separator)).join("\n");

test("whatever was read as a suite stays out of a trial, under any name and in any format, also when other questions are asked", async () => {
  world.write("proctor.config.yaml", "{}\n");
  world.skill("pdf", rows);
  world.skill("other", rows);
  const suites: Record<string, string | object> = {
    "queries.json": rows,
    "tests/routing.json": rows,
    "evaluation/x.json": rows,
    "test-cases.yaml": yaml,
    "tests/pdf.test.yaml": yaml,
    "activation.csv": csv(","),
    "golden.tsv": csv("\t"),
    "prompts.jsonl": rows.map((row) => JSON.stringify(row)).join("\n"),
    "triggers.md": "## Should trigger\n\n- read this pdf\n\n## Should not trigger\n\n- cook some rice\n",
    "trigger-tests.yaml": "- query: [half written\n",
  };
  for (const [file, content] of Object.entries(suites)) world.write(`skills/pdf/${file}`, content);
  world.write("skills/pdf/references/steps.md", "Open the file.");
  world.write("skills/pdf/data/rates.json", [{ currency: "EUR", rate: 1 }]);
  for (const paths of [undefined, ["skills/other"]]) {
    const { library } = await world.prepare({ targets: ["embedded"], keepGoing: true }, paths);
    const pdf = library.skills.find(({ id }) => id === "pdf")!;
    expect(await skillFiles(pdf)).toEqual(["SKILL.md", "data/rates.json", "references/steps.md"]);
  }
});
