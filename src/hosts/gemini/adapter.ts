import type { HostAdapter } from "../adapter.ts";
import { text } from "../reading/json.ts";
import { XML_LISTING } from "../reading/xml-listing.ts";
import { launch } from "./launch.ts";
import { login } from "./login.ts";
import { reach, reader } from "./read.ts";
import { session, shown } from "./session.ts";

export const adapter: HostAdapter = {
  provider: "google",
  revision: 6,
  command: "gemini",
  install: "npm install -g @google/gemini-cli",
  tested: ["0.51.0", "0.61.0"],
  defaultModel: "gemini-2.5-pro",
  skillsDir: ".agents/skills",
  contextFiles: ["GEMINI.md"],
  naming: { by: "name" },
  keys: ["GEMINI_API_KEY"],
  endpointVariable: "GOOGLE_GEMINI_BASE_URL",
  endpointPath: "",
  readOnlyProfile: true,
  stopSignal: "SIGTERM",
  login,
  launch,
  conversation: {
    session: (event) => (event["type"] === "init" ? text(event["session_id"]) || undefined : undefined),
    resume: (trial, session) => ({ ...launch(trial), args: [...launch(trial).args, "--resume", session] }),
  },
  reader,
  session,
  shown,
  listingForm: XML_LISTING,
  reach,
  firstMove: { to: "provider", provider: "google", home: "https://generativelanguage.googleapis.com" },
};
