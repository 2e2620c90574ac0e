import { csv, csvTrials } from "./csv.ts";
import { github } from "./github.ts";
import { gitlab } from "./gitlab.ts";
import { html } from "./html/reporter.ts";
import { json } from "./json/index.ts";
import { junit } from "./junit.ts";
import { markdown } from "./markdown/index.ts";
import { otlp } from "./otlp.ts";
import type { Reporter } from "./reporter.ts";
import { resultFileReporters } from "./result-files.ts";
import { sarif } from "./sarif.ts";
import { terminal } from "./terminal/index.ts";

export const reporters: readonly Reporter[] = [
  terminal,
  json,
  html,
  junit,
  markdown,
  github,
  sarif,
  gitlab,
  csv,
  csvTrials,
  otlp,
  ...resultFileReporters,
];
