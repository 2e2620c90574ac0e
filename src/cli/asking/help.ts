import { agentHosts } from "../../hosts/index.ts";
import { examples } from "../flags/help.ts";

const WIDTH = 80;
const COLUMN = 32;

const agents = agentHosts.map(({ agent }) => agent.id);
const judge = agentHosts.find(({ agent }) => agent.judges)?.agent.id;

const TARGETS = `
Targets:
  embedded                      predicts from the cards alone, offline (the
                                default); also embedded:keywords, :minilm
  judge:MODEL                   a model reads one skill's card: yes or no; also
                                judge:cli/${judge}, through an installed CLI
  router:MODEL                  a model reads all cards and chooses
  model:MODEL                   a model answers a case's prompt, without tools
  firstmove:AGENT:MODEL         an agent's own first request, answered once
${realClis(agents)}
  agent:FILE                    an agent of your own
  script:FILE                   answers written in a YAML file
  replay:RUN                    the answers of a stored run, again`;

const EXAMPLES = examples(
  [
    ["proctor run", "everything, offline, in a second"],
    ["proctor run skills/refund -t claude:haiku", "one skill's questions, on a real agent"],
    ["proctor run -t claude:haiku --dry-run", "what that would take"],
    ["proctor run -t claude:haiku --failed", "what did not pass last time"],
  ],
  "run.md",
);

export const RUN_HELP = `${TARGETS}\n${EXAMPLES}`;

/** One explanation for all, beside the last line, which is short enough for it. */
function realClis(ids: readonly string[]): string {
  const usages = ids.map((id, index) => `${id}:MODEL${index < ids.length - 1 ? "," : ""}`);
  const last = usages.pop() ?? "";
  const lines: string[] = [];
  for (const usage of usages) {
    const joined = lines.length === 0 ? `  ${usage}` : `${lines.at(-1)} ${usage}`;
    if (lines.length > 0 && joined.length <= WIDTH) lines[lines.length - 1] = joined;
    else lines.push(`  ${usage}`);
  }
  return [...lines, `${`  ${last}`.padEnd(COLUMN)}the real CLI; proctor doctor shows what is here`].join("\n");
}
