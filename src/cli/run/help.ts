import { examples } from "../help.ts";

/** Written out, so that help need not load the targets; a test keeps it true. */
const TARGETS = `
Targets:
  embedded                      predicts from the cards alone, offline (the
                                default); also embedded:keywords, :minilm
  judge:MODEL                   a model reads one skill's card: yes or no; also
                                judge:cli/claude, through an installed CLI
  router:MODEL                  a model reads all cards and chooses
  model:MODEL                   a model answers a case's prompt, without tools
  firstmove:AGENT:MODEL         an agent's own first request, answered once
  claude:MODEL, codex:MODEL, copilot:MODEL, gemini:MODEL, opencode:MODEL,
  qwen:MODEL                    the real CLI; proctor doctor says which are here
  agent:FILE                    an agent of your own
  script:FILE                   answers written in a YAML file
  replay:RUN                    the answers of a stored run, once more`;

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
