import { Command } from "commander";
import { VERSION } from "../base/index.ts";
import type { Survey, SurveyedAgent } from "../targets/index.ts";

/** Keys of the providers that judge:, router: and model: targets use. */
const MODEL_KEYS = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"];

export function doctorCommand(): Command {
  return new Command("doctor")
    .description("What this machine can run: agent CLIs, versions, keys, sandbox; and how to get the rest.")
    .option("--json", "for programs", false)
    .action(async ({ json }: { json: boolean }) => {
      const { loadAgents } = await import("../targets/index.ts");
      const { surveyAgents } = await loadAgents();
      const survey = await surveyAgents(process.env);
      process.stdout.write(
        json ? `${JSON.stringify({ version: 1, proctor: VERSION, node: process.version, ...survey }, null, 2)}\n` : text(survey),
      );
    });
}

function text({ sandbox, sandboxAdvice, agents }: Survey): string {
  const lines = [
    `proctor ${VERSION}   node ${process.versions.node}   ${process.platform} ${process.arch}`,
    `sandbox    ${sandbox ?? `none: ${sandboxAdvice}; CLIs with a read-only profile run without, for triggers only`}`,
    `embedded   ready: offline, no key`,
    `models     ${MODEL_KEYS.map((name) => `${name} ${process.env[name] ? "set" : "not set"}`).join(", ")}   (judge:, router:, model:)`,
    "",
    ...agents.flatMap(agentLines),
    "",
    agents.some(({ needs }) => needs.length === 0)
      ? `next: proctor run -t ${agents.find(({ needs }) => needs.length === 0)!.id}`
      : "next: proctor run   (the embedded target needs nothing)",
  ];
  return `${lines.join("\n")}\n`;
}

function agentLines(agent: SurveyedAgent): string[] {
  const [oldest, newest] = agent.tested;
  const range = oldest === newest ? `tested with ${oldest}` : `tested ${oldest} to ${newest}`;
  const state = agent.path === undefined ? "not installed" : `${agent.version}   ${agent.path}`;
  const keys = agent.keys.filter(({ present }) => present).map(({ name }) => name);
  const indent = " ".repeat(11);
  return [
    `${agent.id.padEnd(11)}${agent.needs.length === 0 ? "ready" : "not ready"}   ${agent.title}: ${state}   (${range})`,
    ...(agent.warning === undefined ? [] : [`${indent}warning: ${agent.warning}`]),
    ...(keys.length === 0 ? [] : [`${indent}login: ${keys.join(", ")}`]),
    ...(agent.endpoint === undefined ? [] : [`${indent}endpoint: ${agent.endpoint}`]),
    ...agent.needs.map((need) => `${indent}needs: ${need}`),
  ];
}
