import type { HostAdapter } from "../adapter.ts";
import { text } from "../reading/json.ts";
import { XML_LISTING } from "../reading/xml-listing.ts";
import { launch } from "./launch.ts";
import { login } from "./login.ts";
import { reach, reader } from "./read.ts";
import { session, shown } from "./session.ts";

export const adapter: HostAdapter = {
  provider: "openai-compatible",
  revision: 8,
  command: "qwen",
  install: "npm install -g @qwen-code/qwen-code",
  tested: ["0.24.4", "0.24.4"],
  defaultModel: "qwen3-coder-plus",
  skillsDir: ".qwen/skills",
  contextFiles: ["QWEN.md", "AGENTS.md"],
  naming: { by: "name" },
  keys: ["OPENAI_API_KEY"],
  endpointVariable: "OPENAI_BASE_URL",
  endpointPath: "/v1",
  readOnlyProfile: true,
  stopSignal: "SIGTERM",
  login,
  launch,
  conversation: {
    session: (event) =>
      event["type"] === "system" && event["subtype"] === "init" ? text(event["session_id"]) || undefined : undefined,
    resume: (trial, session) => ({ ...launch(trial), args: [...launch(trial).args, "--resume", session] }),
    tellsTotals: true,
  },
  reader,
  session,
  shown,
  listingForm: XML_LISTING,
  reach,
  firstMove: { to: "endpoint", key: "OPENAI_API_KEY" },
};
