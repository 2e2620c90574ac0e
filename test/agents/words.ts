import { parseArgs } from "node:util";

/** What `npm run test:agents -- …` was asked to do. */
export interface Words {
  /** CLIs, each with a version or without: `codex@0.163.0`. */
  named: string[];
  all: boolean;
  /** Only scenarios whose name matches. */
  grep: RegExp | undefined;
  /** Keep what the CLIs print as fixtures. */
  record: boolean;
  /** Whether the table in docs/agents.md is written: of a whole run, or where it is asked for by name. */
  table: boolean;
}

export function readWords(argv: string[]): Words {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      all: { type: "boolean", default: false },
      grep: { type: "string" },
      record: { type: "boolean", default: false },
      table: { type: "boolean", default: false },
    },
  });
  const { all, grep, record, table } = values;
  return {
    named: positionals,
    all,
    record,
    grep: grep === undefined ? undefined : new RegExp(grep),
    table: table || (all && grep === undefined),
  };
}
