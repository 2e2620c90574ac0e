import { nearest, UsageError } from "../base/index.ts";
import type { AgentAdapter } from "./adapter.ts";
import { claude } from "./claude/adapter.ts";
import { codex } from "./codex/adapter.ts";
import { copilot } from "./copilot/adapter.ts";
import { gemini } from "./gemini/adapter.ts";
import { opencode } from "./opencode/adapter.ts";
import { qwen } from "./qwen/adapter.ts";

/** Every CLI Proctor can drive. A further one is one folder and one line here. */
export const adapters: readonly AgentAdapter[] = [claude, codex, copilot, gemini, opencode, qwen];

export function adapterOf(id: string): AgentAdapter {
  const found = adapters.find((adapter) => adapter.id === id);
  if (found !== undefined) return found;
  const ids = adapters.map((adapter) => adapter.id);
  const near = nearest(id, ids)[0];
  throw new UsageError(`There is no agent "${id}".`, near === undefined ? `There are ${ids.join(", ")}.` : `Did you mean ${near}?`);
}
