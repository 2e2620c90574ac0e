import type { RefusedLogin } from "../login.ts";

/** With its own login and no terminal, 0.24.4 refuses to run. */
export const login: RefusedLogin = {
  refused: "its own login was discontinued on 2026-04-15, and it no longer works with one",
  hint: "Set OPENAI_API_KEY, and OPENAI_BASE_URL for a provider other than OpenAI.",
};
