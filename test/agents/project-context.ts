import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { loadAdapter } from "../../src/hosts/index.ts";
import { startLoopback } from "../../src/loopback/index.ts";
import { openAgent } from "../../src/targets/agents/index.ts";
import type { Check } from "./checks.ts";
import type { Dialect } from "./dialects.ts";
import { type Bench, environment } from "./harness.ts";

/** The real CLI is given a project that has every file of instructions there is, each with a word of its own: which words reach the model? */
export const projectContext: Check = {
  name: "the project's instructions, with --with-context only",
  async run(dialect, bench) {
    const { contextFiles = [], contextImports = false } = await loadAdapter(dialect.id);
    const without = await wordsSeen(dialect, bench, false);
    const alone = [];
    for (const file of contextFiles)
      if ((await wordsSeen(dialect, bench, true, [file])).includes(file)) alone.push(file);
    const imported =
      contextImports &&
      (await wordsSeen(dialect, bench, true, [contextFiles[0] ?? "", IMPORTED, FURTHER])).length === 3;
    const said = `without: ${without.join(", ") || "none"}; with, each alone: ${alone.join(", ") || "none"}${imported ? "; and what they import" : ""}`;
    const wanted = `without: none; with, each alone: ${contextFiles.join(", ")}${contextImports ? "; and what they import" : ""}`;
    return { right: said === wanted, said, wanted };
  },
};

const IMPORTED = "docs/rules.md";
const FURTHER = "docs/more/style.md";

async function wordsSeen(dialect: Dialect, bench: Bench, withContext: boolean, only?: string[]): Promise<string[]> {
  const project = mkdtempSync(join(tmpdir(), "proctor-project-"));
  const files = only ?? [
    "CLAUDE.md",
    "AGENTS.md",
    "GEMINI.md",
    "QWEN.md",
    ".github/copilot-instructions.md",
    ".claude/CLAUDE.md",
  ];
  const server = await startLoopback({ it: { steps: [{ text: "Done." }] } });
  try {
    for (const file of files) {
      mkdirSync(dirname(join(project, file)), { recursive: true });
      writeFileSync(join(project, file), `The word of this project is ${wordOf(file)}.\n`);
      const imports = file === IMPORTED ? "@more/style.md" : file === FURTHER ? "" : `See @${IMPORTED}`;
      if (only !== undefined && only.length > 1) appendFileSync(join(project, file), `${imports}\n`);
    }
    const options = {
      canary: false,
      with_context: withContext,
      ...(bench.unboxed && dialect.id === "codex" && { sandbox: "off" }),
    };
    const target = await openAgent(dialect.id, dialect.model, {
      env: environment(dialect, bench),
      cwd: project,
      endpoint: `${server.url}/it/1${dialect.base}`,
      options,
      cacheDir: bench.cacheDir,
    });
    const sitting = await target.open(bench.library);
    const ask = {
      key: "it",
      kind: "trigger" as const,
      prompt: "Say something.",
      files: [],
      messages: [],
      library: "",
      limits: {},
    };
    const answer = await sitting.ask(ask, { run: 1, signal: new AbortController().signal, decided: () => false });
    for await (const _ of answer.events);
    await answer.dispose();
    await sitting.close();
    const heard = JSON.stringify(server.requests.map(({ body }) => body));
    return files.filter((file) => heard.includes(wordOf(file)));
  } finally {
    await server.close();
    rmSync(project, { recursive: true, force: true });
  }
}

function wordOf(file: string): string {
  return `quartz${Buffer.from(file).toString("hex")}`;
}
