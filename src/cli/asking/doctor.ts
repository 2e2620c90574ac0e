import { homedir } from "node:os";
import { Command } from "commander";
import { count, VERSION } from "../../base/index.ts";
import type { FleetView } from "../../fleet/index.ts";
import type { BetterExaminee, SurveyedAgent } from "../../targets/index.ts";
import type { Diagnosis } from "../../verbs/index.ts";
import { examples } from "../flags/help.ts";
import { addOptions } from "../flags/options.ts";
import { print } from "../printing/print.ts";

export function doctorCommand(): Command {
  const command = new Command("doctor")
    .description(
      "Show what this machine can run (agent CLIs, versions, keys, logins, sandbox) and how to get the rest.",
    )
    .argument("[url]", "show instead which workers are at this Redis (redis://HOST) and what they can run");
  return addOptions(command, "doctor")
    .addHelpText(
      "after",
      examples(
        [
          ["proctor doctor", "who on this machine can be asked, and what the others need"],
          ["proctor doctor redis://build-1", "the workers at a Redis"],
        ],
        "agents.md",
      ),
    )
    .action(async (url: string | undefined, { json }: { json?: boolean }) => {
      const { doctor, fleet } = await import("../../verbs/index.ts");
      if (url !== undefined) {
        const view = await fleet({ url });
        print(json ? `${JSON.stringify({ version: 1, proctor: VERSION, ...view }, null, 2)}\n` : fleetText(view));
        return;
      }
      const { models, ...survey } = await doctor();
      const machine = { version: 1, proctor: VERSION, node: process.version, models };
      print(json ? `${JSON.stringify({ ...machine, ...survey }, null, 2)}\n` : text({ models, ...survey }));
    });
}

const LABEL = 11;

function text({ sandbox, sandboxAdvice, agents, better, models }: Diagnosis): string {
  const able = agents.filter(({ ready }) => ready !== "no");
  const judges = able
    .filter(({ speaks }) => speaks)
    .map(({ id, ready }) => `judge:cli/${id}${ready === "login" ? " --use-login" : ""}`);
  const width = Math.max(...agents.map((agent) => stateOf(agent).length));
  const lines = [
    `proctor ${VERSION}   node ${process.versions.node}   ${process.platform} ${process.arch}`,
    "",
    row("embedded", "ready: offline, no key"),
    row("models", `judge: router: model:   key ${keysOf(models)}`),
    ...(judges.length === 0 ? [] : [row("", judges.join("   "))]),
    row(
      "sandbox",
      sandbox ?? `none: ${sandboxAdvice}. CLIs with a read-only profile run without one, but for triggers only`,
    ),
    "",
    ...agents.flatMap((agent) => agentLines(agent, width)),
    "",
    ...betterLines(better),
    `next: ${next(able)}`,
  ];
  return `${lines.join("\n")}\n`;
}

function betterLines(better: readonly BetterExaminee[]): string[] {
  if (better.length === 0)
    return [
      "for what the embedded target cannot tell: nothing on this machine yet. A model server on it (Ollama, LM Studio, llama.cpp, vLLM)",
      "  would be free; an agent CLI with a login or a provider's key would do as well",
      "",
    ];
  const lines = better.map((examinee) => ({
    ...examinee,
    command: ["proctor run -t", examinee.target, ...examinee.flags].join(" "),
  }));
  const width = Math.max(...lines.map(({ command }) => command.length));
  return [
    "for what the embedded target cannot tell, the cheapest first:",
    ...lines.map((line) => `  ${line.command.padEnd(width)}   ${line.what}: ${priceOf(line)}`),
    "",
  ];
}

function priceOf({ costUsd, onPlan }: BetterExaminee): string {
  if (costUsd === null) return onPlan ? "on your plan" : "at your key's rates";
  return costUsd === 0
    ? "free"
    : `up to about $${costUsd.toFixed(2)} for 100 questions about 10 skills, three runs of each`;
}

function agentLines(agent: SurveyedAgent, width: number): string[] {
  const { id, path, version, keys, login, endpoint, warning, install } = agent;
  const state = stateOf(agent).padEnd(width);
  const present = keys.some((key) => key.present);
  // `!`: every agent has a variable for its key.
  if (path === undefined)
    return [row(id, `${state}   ${install}${present ? "" : `, and ${keys[0]!.name}${logged(login)}`}`)];
  const inside = (label: string, value: string) => row("", `${label.padEnd(9)}${value}`);
  return [
    row(id, `${state}   ${version} (${testedRange(agent)})   ${short(path)}`),
    ...(warning === undefined ? [] : [inside("warning", warning)]),
    ...(present || agent.ready !== "no" ? [inside("key", keysOf(keys))] : []),
    inside("login", `${loginText(login)}${present && login.state === "present" ? " before the key" : ""}`),
    ...(endpoint === undefined ? [] : [inside("endpoint", endpoint)]),
    ...(agent.ready === "no" ? agent.needs.map((need) => inside("needs", need)) : []),
  ];
}

function logged({ state }: SurveyedAgent["login"]): string {
  return state === "refused" ? "" : " or --use-login";
}

function stateOf({ path, ready }: SurveyedAgent): string {
  if (path === undefined) return "not installed";
  return { yes: "ready", login: "ready with --use-login", no: "not ready" }[ready];
}

function testedRange({ tested: [oldest, newest] }: SurveyedAgent): string {
  return oldest === newest ? `tested with ${oldest}` : `tested ${oldest} to ${newest}`;
}

function keysOf(keys: SurveyedAgent["keys"]): string {
  const names = keys.filter(({ present }) => present).map(({ name }) => name);
  return names.length > 0 ? names.join(", ") : `none (${keys.map(({ name }) => name).join(", ")})`;
}

function loginText(login: SurveyedAgent["login"]): string {
  switch (login.state) {
    case "present": {
      const of = login.providers === undefined ? "" : ` for ${login.providers.join(", ") || "nobody"}`;
      const until = login.expiresAt === undefined ? "" : `, until ${minute(login.expiresAt)}`;
      return `${short(login.file)}${of}${until}; used with --use-login`;
    }
    case "expired":
      return `${short(login.file)}, expired ${minute(login.expiresAt)}`;
    case "none":
      return `none (${short(login.file)})`;
    case "refused":
      return `not usable: ${login.why}${login.hint === undefined ? "" : `. ${login.hint}`}`;
  }
}

function next(able: SurveyedAgent[]): string {
  const [agent] = [...able].sort((a, b) => Number(b.ready === "yes") - Number(a.ready === "yes"));
  if (agent === undefined) return "proctor run   (the embedded target needs nothing)";
  return `proctor run -t ${agent.id}${agent.ready === "login" ? " --use-login" : ""}`;
}

function row(label: string, value: string): string {
  return `${label.padEnd(LABEL)}${value}`;
}

function minute(time: string): string {
  return `${time.slice(0, 16).replace("T", " ")} UTC`;
}

function short(path: string): string {
  const home = homedir();
  return path.startsWith(home) ? `~${path.slice(home.length)}` : path;
}

function fleetText({ place, server, evicts, persists, workers, runs, unsigned }: FleetView): string {
  const slots = workers.reduce((sum, worker) => sum + worker.slots, 0);
  const width = Math.max(0, ...workers.map(({ name }) => name.length));
  const lines = [
    `${place}   ${server}   ${count(workers.length, "worker")}, ${count(slots, "trial")} at once   ${count(runs, "run")} under way`,
    ...(evicts === undefined
      ? []
      : [
          `warning   it drops keys when its memory is full (maxmemory-policy ${evicts}), and trials with them: set noeviction`,
        ]),
    ...(persists === false
      ? ["note      it keeps nothing on disk (appendonly no): after a restart, runs hand out what was lost again"]
      : []),
    ...(unsigned === 0
      ? []
      : [
          `warning   ${unsigned} of its workers and runs are not signed with this PROCTOR_FLEET_KEY: other keys are in use here`,
        ]),
    "",
    ...workers.map(({ name, version, slots: places, running, can }) => {
      const other = version === VERSION ? "" : `   proctor ${version}: refused by runs of ${VERSION}`;
      return `${name.padEnd(width)}   ${running}/${places} busy   ${canText(can)}${other}`;
    }),
    ...(workers.length > 0
      ? []
      : [unsigned > 0 ? "next: set the PROCTOR_FLEET_KEY that they use" : `next: proctor worker ${place}`]),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

function canText({ agents, keys, sandbox, only }: FleetView["workers"][number]["can"]): string {
  const able = agents.map(
    ({ id, version, ready }) =>
      `${id} ${version ?? "?"}${ready === "no" ? " (not ready)" : ready === "login" ? " (--use-login)" : ""}`,
  );
  return [
    able.length === 0 ? "no agent CLI" : able.join(", "),
    keys.length === 0 ? "no model key" : keys.join(", "),
    sandbox === undefined ? "no sandbox" : `sandbox ${sandbox}`,
    ...(only === undefined ? [] : [`takes ${only.join(", ")} only`]),
  ].join("   ");
}
