import { claude } from "./claude/index.ts";
import { claudeAi } from "./claude-ai/index.ts";
import { codex } from "./codex/index.ts";
import { copilot } from "./copilot/index.ts";
import { gemini } from "./gemini/index.ts";
import type { Host } from "./host.ts";
import { opencode } from "./opencode/index.ts";
import { qwen } from "./qwen/index.ts";
import { spec } from "./spec/index.ts";

/** In the order in which messages name them. A new host is a folder and a line here. */
export const hosts: readonly Host[] = [spec, claude, claudeAi, codex, copilot, gemini, opencode, qwen];
