import type { HostAdapter } from "../adapter.ts";
import { text } from "../reading/json.ts";
import { launch } from "./launch.ts";
import { login } from "./login.ts";
import { reader } from "./read.ts";
import { eventsOf, LISTING_FORM, session, shown } from "./session.ts";

export const adapter: HostAdapter = {
  provider: "openai",
  revision: 7,
  command: "codex",
  install: "npm install -g @openai/codex",
  tested: ["0.163.0", "0.166.0"],
  defaultModel: "gpt-6.1-sol",
  skillsDir: ".agents/skills",
  contextFiles: ["AGENTS.md"],
  naming: { by: "name" },
  keys: ["CODEX_API_KEY", "OPENAI_API_KEY"],
  // It ignores OPENAI_BASE_URL and would use the provider's own address.
  endpointVariable: "PROCTOR_CODEX_BASE_URL",
  endpointPath: "/v1",
  readOnlyProfile: true,
  stopSignal: "SIGTERM",
  login,
  launch,
  conversation: {
    session: (event) => (event["type"] === "thread.started" ? text(event["thread_id"]) || undefined : undefined),
    // The last argument, "-", reads the prompt from stdin. Earlier settings apply to a resumed session too.
    resume: (trial, session) => ({
      ...launch(trial),
      args: [...launch(trial).args.slice(0, -1), "resume", session, "-"],
    }),
    tellsTotals: true,
  },
  reader,
  session,
  shown,
  listingForm: LISTING_FORM,
  firstMove: {
    to: "provider",
    provider: "openai",
    home: "https://api.openai.com/v1",
    keys: ["CODEX_API_KEY", "OPENAI_API_KEY"],
    eventsOf,
  },
};
