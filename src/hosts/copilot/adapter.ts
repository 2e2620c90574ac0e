import type { HostAdapter } from "../adapter.ts";
import { text } from "../reading/json.ts";
import { XML_LISTING } from "../reading/xml-listing.ts";
import { launch } from "./launch.ts";
import { login } from "./login.ts";
import { reach, reader } from "./read.ts";
import { session, shown } from "./session.ts";

export const adapter: HostAdapter = {
  provider: "github",
  revision: 7,
  command: "copilot",
  install: "npm install -g @github/copilot",
  tested: ["1.0.92", "1.0.102"],
  defaultModel: "gpt-4.1",
  skillsDir: ".agents/skills",
  contextFiles: ["AGENTS.md", ".github/copilot-instructions.md", "CLAUDE.md", "GEMINI.md"],
  naming: { by: "name", ignoreCase: true, first: true },
  keys: ["COPILOT_PROVIDER_API_KEY", "COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"],
  endpointVariable: "COPILOT_PROVIDER_BASE_URL",
  endpointPath: "/v1",
  readOnlyProfile: true,
  unpacks: { locks: "copilot/pkg/*/*/inuse.*.*" },
  stopSignal: "SIGTERM",
  login,
  launch,
  conversation: {
    session: (event) => (event["type"] === "result" ? text(event["sessionId"]) || undefined : undefined),
    resume: (trial, session) => ({ ...launch(trial), args: [...launch(trial).args, `--resume=${session}`] }),
  },
  reader,
  session,
  shown,
  listingForm: XML_LISTING,
  reach,
  firstMove: { to: "endpoint", key: "COPILOT_PROVIDER_API_KEY" },
};
