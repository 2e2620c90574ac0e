import { skillInvocation } from "./activations/skill-invocation.ts";
import { trigger } from "./activations/trigger.ts";
import { diff } from "./files/diff.ts";
import { file } from "./files/file.ts";
import { fileAbsent } from "./files/file-absent.ts";
import { fileExists } from "./files/file-exists.ts";
import type { Grader } from "./grader.ts";
import { expectations } from "./judged/expectations.ts";
import { llm } from "./judged/llm.ts";
import { pairwise } from "./judged/pairwise.ts";
import { prompt } from "./judged/prompt.ts";
import { rubric } from "./judged/rubric.ts";
import { code } from "./programs/code.ts";
import { command } from "./programs/command.ts";
import { program } from "./programs/program.ts";
import { contains } from "./text/contains.ts";
import { containsAll } from "./text/contains-all.ts";
import { containsAny } from "./text/contains-any.ts";
import { jsonSchema } from "./text/json-schema.ts";
import { matches } from "./text/matches.ts";
import { maxTokens } from "./text/max-tokens.ts";
import { minTokens } from "./text/min-tokens.ts";
import { notContains } from "./text/not-contains.ts";
import { notMatches } from "./text/not-matches.ts";
import { notRegex, regex } from "./text/regex.ts";
import { text } from "./text/text.ts";
import { actionSequence } from "./tools/action-sequence.ts";
import { behavior } from "./tools/behavior.ts";
import { toolCall } from "./tools/tool-call.ts";
import { toolCalls } from "./tools/tool-calls.ts";
import { toolConstraint } from "./tools/tool-constraint.ts";

/** Every grader a suite can name. A new one is a file and a line here. */
export const graders: readonly Grader[] = [
  skillInvocation,
  contains,
  notContains,
  containsAny,
  containsAll,
  matches,
  notMatches,
  minTokens,
  maxTokens,
  jsonSchema,
  text,
  regex,
  notRegex,
  file,
  fileExists,
  fileAbsent,
  diff,
  program,
  command,
  code,
  behavior,
  actionSequence,
  toolConstraint,
  toolCalls,
  toolCall,
  trigger,
  expectations,
  llm,
  prompt,
  pairwise,
  rubric,
];
