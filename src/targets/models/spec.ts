import { UsageError } from "../../base/index.ts";

/** eva's yes/no judge, a router over the whole library, or a model that answers cases. */
export type ModelRole = "judge" | "router" | "model";

export interface ModelSpec {
  provider: string;
  model: string;
}

const families: [RegExp, string][] = [
  [/^claude-/, "anthropic"],
  [/^(gpt-|o\d|chatgpt-|codex-)/, "openai"],
  [/^gemini-/, "google"],
];

/** `anthropic/claude-haiku-4-5`, or just `claude-haiku-4-5` if the name reveals its provider. */
export function parseModelSpec(text: string): ModelSpec {
  const slash = text.indexOf("/");
  if (slash > 0 && slash < text.length - 1) return { provider: text.slice(0, slash), model: text.slice(slash + 1) };
  const family = families.find(([pattern]) => pattern.test(text));
  if (family !== undefined) return { provider: family[1], model: text };
  throw new UsageError(
    text === "" ? "A model target needs a model." : `Who provides the model "${text}"?`,
    "Write provider/model, for example judge:anthropic/claude-haiku-4-5, router:openai/gpt-5-mini or judge:ollama/qwen3.",
  );
}
