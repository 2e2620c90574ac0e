import { skillInvocation } from "./activations/skill-invocation.ts";
import type { Grader } from "./grader.ts";
import { llm } from "./judged/llm.ts";
import { rubric } from "./judged/rubric.ts";
import { contains } from "./text/contains.ts";
import { containsAll } from "./text/contains-all.ts";
import { containsAny } from "./text/contains-any.ts";
import { jsonSchema } from "./text/json-schema.ts";
import { matches } from "./text/matches.ts";
import { maxTokens } from "./text/max-tokens.ts";
import { minTokens } from "./text/min-tokens.ts";
import { notContains } from "./text/not-contains.ts";
import { notMatches } from "./text/not-matches.ts";

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
  llm,
  rubric,
];
