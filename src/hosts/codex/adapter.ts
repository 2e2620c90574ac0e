import type { HostAdapter } from "../adapter.ts";
import { launch } from "./launch.ts";
import { login } from "./login.ts";
import { reader } from "./read.ts";
import { eventsOf, LISTING_FORM, session, shown } from "./session.ts";

export const adapter: HostAdapter = {
  provider: "openai",
  revision: 6,
  command: "codex",
  install: "npm install -g @openai/codex",
  tested: ["0.163.0", "0.166.0"],
  defaultModel: "gpt-6.1-sol",
  skillsDir: ".agents/skills",
  naming: { by: "name" },
  keys: ["CODEX_API_KEY", "OPENAI_API_KEY"],
  // It ignores OPENAI_BASE_URL and would go to the provider's own address all the same.
  endpointVariable: "PROCTOR_CODEX_BASE_URL",
  endpointPath: "/v1",
  readOnlyProfile: true,
  stopSignal: "SIGTERM",
  login,
  launch,
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
