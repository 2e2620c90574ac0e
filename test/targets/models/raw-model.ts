import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface RawReply {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** A model server that answers with exactly these bytes, whatever the protocol, and remembers who asked. */
export async function startRawModel(answer: (path: string, body: string) => RawReply | "silence") {
  const requests: { path: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer(async (incoming, outgoing) => {
    let body = "";
    for await (const chunk of incoming) body += chunk;
    requests.push({ path: incoming.url ?? "", headers: incoming.headers, body });
    const reply = answer(incoming.url ?? "", body);
    if (reply === "silence") return;
    outgoing.writeHead(reply.status ?? 200, { "content-type": "application/json", ...reply.headers });
    outgoing.end(typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body ?? {}));
  });
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type Provider = "anthropic" | "openai" | "google" | "ollama";

export const models: Record<Provider, string> = {
  anthropic: "claude-haiku-4-5",
  openai: "gpt-5-mini",
  google: "gemini-2.5-flash",
  ollama: "qwen3",
};

/** A reply as the provider sends it. `cut`: it reached its token limit. `thought`: in the field that the provider has for thoughts. */
export function replyOf(
  provider: Provider,
  text: string,
  { cut = false, thought }: { cut?: boolean; thought?: string } = {},
): unknown {
  switch (provider) {
    case "anthropic":
      return {
        id: "m",
        type: "message",
        role: "assistant",
        model: models.anthropic,
        content: [
          ...(thought === undefined ? [] : [{ type: "thinking", thinking: thought, signature: "s" }]),
          { type: "text", text },
        ],
        stop_reason: cut ? "max_tokens" : "end_turn",
        stop_sequence: null,
        usage: { input_tokens: 10, output_tokens: 5 },
      };
    case "openai":
      return {
        id: "r",
        object: "response",
        created_at: 1,
        model: models.openai,
        status: cut ? "incomplete" : "completed",
        incomplete_details: cut ? { reason: "max_output_tokens" } : null,
        output: [
          ...(thought === undefined
            ? []
            : [{ type: "reasoning", id: "rs", summary: [{ type: "summary_text", text: thought }] }]),
          {
            type: "message",
            id: "m",
            role: "assistant",
            status: "completed",
            content: [{ type: "output_text", text, annotations: [] }],
          },
        ],
        usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
      };
    case "google":
      return {
        candidates: [
          {
            index: 0,
            content: {
              role: "model",
              parts: [...(thought === undefined ? [] : [{ text: thought, thought: true }]), { text }],
            },
            finishReason: cut ? "MAX_TOKENS" : "STOP",
          },
        ],
        usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
      };
    case "ollama":
      return {
        id: "c",
        object: "chat.completion",
        created: 1,
        model: models.ollama,
        choices: [
          {
            index: 0,
            message: { role: "assistant", content: text, ...(thought !== undefined && { reasoning_content: thought }) },
            finish_reason: cut ? "length" : "stop",
          },
        ],
        usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
      };
  }
}

/** Where the provider is reached, as its variables say. */
export function environmentOf(provider: Provider, url: string): NodeJS.ProcessEnv {
  switch (provider) {
    case "anthropic":
      return { ANTHROPIC_API_KEY: "dummy-key", ANTHROPIC_BASE_URL: url };
    case "openai":
      return { OPENAI_API_KEY: "dummy-key", OPENAI_BASE_URL: `${url}/v1` };
    case "google":
      return { GEMINI_API_KEY: "dummy-key", GOOGLE_GEMINI_BASE_URL: url };
    case "ollama":
      return { OLLAMA_API_KEY: "dummy-key", OLLAMA_BASE_URL: `${url}/v1` };
  }
}
