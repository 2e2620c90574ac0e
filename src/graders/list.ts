import { skillInvocation } from "./activations/skill-invocation.ts";
import { trigger } from "./activations/trigger.ts";
import { diff } from "./files/diff.ts";
import { file } from "./files/file.ts";
import type { Grader } from "./grader.ts";
import { expectations } from "./judged/expectations.ts";
import { llm } from "./judged/llm.ts";
import { pairwise } from "./judged/pairwise.ts";
import { rubric } from "./judged/rubric.ts";
import { code } from "./programs/code.ts";
import { command } from "./programs/command.ts";
import { jsonSchema } from "./text/json-schema.ts";
import { text } from "./text/text.ts";
import { tokens } from "./text/tokens.ts";
import { behavior } from "./tools/behavior.ts";
import { tools } from "./tools/tools.ts";

/** The native graders. A new one needs a file and a line here; dialects.ts translates the types of other tools. */
export const graders: readonly Grader[] = [
  skillInvocation,
  text,
  tokens,
  jsonSchema,
  file,
  diff,
  command,
  code,
  tools,
  behavior,
  trigger,
  expectations,
  llm,
  rubric,
  pairwise,
];
