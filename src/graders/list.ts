import { contains } from "./contains.ts";
import { containsAll } from "./contains-all.ts";
import { containsAny } from "./contains-any.ts";
import type { Grader } from "./grader.ts";
import { jsonSchema } from "./json-schema.ts";
import { llm } from "./llm.ts";
import { matches } from "./matches.ts";
import { maxTokens } from "./max-tokens.ts";
import { minTokens } from "./min-tokens.ts";
import { notContains } from "./not-contains.ts";
import { notMatches } from "./not-matches.ts";
import { rubric } from "./rubric.ts";
import { skillInvocation } from "./skill-invocation.ts";

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
