import type { HostAdapter } from "../adapter.ts";
import { text } from "../reading/json.ts";
import { launch } from "./launch.ts";
import { login } from "./login.ts";
import { reach, reader } from "./read.ts";
import { LISTING_FORM, session, shown } from "./session.ts";

export const adapter: HostAdapter = {
  provider: "anthropic",
  revision: 6,
  command: "claude",
  install: "npm install -g @anthropic-ai/claude-code",
  tested: ["2.1.197", "2.1.325"],
  defaultModel: "sonnet",
  skillsDir: ".claude/skills",
  contextFiles: ["CLAUDE.md", "AGENTS.md"],
  contextImports: true,
  naming: { by: "folder", first: true },
  keys: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
  endpointVariable: "ANTHROPIC_BASE_URL",
  endpointPath: "",
  readOnlyProfile: true,
  // Unlike SIGTERM, SIGINT often lets the CLI report its spending; it still ends the shells the CLI started.
  stopSignal: "SIGINT",
  stopsItself: process.platform !== "win32",
  reportsCost: true,
  login,
  launch,
  conversation: {
    session: (event) =>
      event["type"] === "system" && event["subtype"] === "init" ? text(event["session_id"]) || undefined : undefined,
    resume: (trial, session) => ({ ...launch(trial), args: [...launch(trial).args, "--resume", session] }),
  },
  reader,
  session,
  shown,
  listingForm: LISTING_FORM,
  reach,
  firstMove: {
    to: "provider",
    provider: "anthropic",
    home: "https://api.anthropic.com",
    keys: ["ANTHROPIC_API_KEY"],
    token: "ANTHROPIC_AUTH_TOKEN",
    notThis: "CLAUDE_CODE_OAUTH_TOKEN",
  },
};
