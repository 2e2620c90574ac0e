import type { EventReader, HostAdapter } from "../../../src/hosts/adapter.ts";
import { crashed, failedEnd } from "../../../src/hosts/reading/errors.ts";
import { type Json, list, text } from "../../../src/hosts/reading/json.ts";
import type { StagedSkills } from "../../../src/hosts/reading/staged-skills.ts";
import { type Reach, ToolCalls } from "../../../src/hosts/reading/tool-calls.ts";

export const adapter: HostAdapter = {
  provider: "acme-ai",
  revision: 1,
  command: "acme",
  install: "acme-get acme",
  tested: ["1.0.0", "1.9.0"],
  defaultModel: "small",
  skillsDir: ".acme/skills",
  naming: { by: "name" },
  keys: ["ACME_KEY"],
  endpointVariable: "ACME_BASE_URL",
  endpointPath: "/v1",
  readOnlyProfile: true,
  stopSignal: "SIGTERM",
  launch: (trial) => ({ args: ["--model", trial.model], stdin: trial.prompt, env: trial.keys }),
  reader,
  shown: (_, staged) => ({ entries: [], listing: staged.listed([]), characters: 0 }),
  reach,
  firstMove: { to: "endpoint", key: "ACME_KEY" },
};

function reach(tool: string, input: Json): Reach {
  return tool === "use_skill" ? { way: "tool", name: input["skill"] } : { way: "none" };
}

function reader(staged: StagedSkills): EventReader {
  const calls = new ToolCalls(staged);
  let ended = false;
  return {
    read(event) {
      ended ||= event["type"] === "bye";
      const words = text(event["says"]);
      return [
        ...(words === "" ? [] : [{ type: "text" as const, turn: 1, text: words }]),
        ...list(event["uses"]).flatMap((use) => {
          const id = text(use["skill"]);
          const call = { turn: 1, id, tool: "use_skill", input: use, reach: reach("use_skill", use) };
          return [...calls.call(call), ...calls.result(id, { ok: use["ok"] === true })];
        }),
      ];
    },
    end: (exit) => ({
      events: calls.end(),
      end: ended ? { type: "end", how: "completed" } : failedEnd(crashed({ id: "acme" }, exit)),
    }),
  };
}
