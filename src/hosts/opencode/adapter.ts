import type { HostAdapter } from "../adapter.ts";
import { text } from "../reading/json.ts";
import { XML_LISTING } from "../reading/xml-listing.ts";
import { launch } from "./launch.ts";
import { login } from "./login.ts";
import { reach, reader } from "./read.ts";
import { session, shown } from "./session.ts";

export const adapter: HostAdapter = {
  provider: "any",
  revision: 8,
  command: "opencode",
  install: "npm install -g opencode-ai   (and ripgrep, which its skill tool needs)",
  tested: ["1.17.0", "1.18.33"],
  defaultModel: "anthropic/claude-haiku-4-5",
  skillsDir: ".agents/skills",
  contextFiles: ["AGENTS.md", "CLAUDE.md"],
  naming: { by: "name" },
  keys: ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY", "OPENCODE_API_KEY"],
  endpointVariable: "PROCTOR_OPENCODE_BASE_URL",
  endpointPath: "/v1",
  readOnlyProfile: true,
  // It has no start event: the first one comes with the model's first answer.
  firstEventMs: 180_000,
  stopSignal: "SIGTERM",
  login,
  launch,
  conversation: {
    session: (event) => text(event["sessionID"]) || undefined,
    resume: (trial, session) => ({ ...launch(trial), args: [...launch(trial).args, "--session", session] }),
  },
  reader,
  session,
  shown,
  listingForm: XML_LISTING,
  reach,
  firstMove: { to: "endpoint", key: "OPENAI_API_KEY" },
};
