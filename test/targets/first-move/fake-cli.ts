import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * A CLI that, like the real one, sends its model a first request with its skills and the prompt in it, and ends.
 * The prompt comes where that host's adapter puts it.
 */
export function writeFakeCli(
  root: string,
  host: keyof typeof requests,
  version = "9.9.9",
  words = "You are an agent.",
): string {
  const file = join(root, `fake-${host}`);
  const script = `#!${process.execPath}
if (process.argv[2] === "--version") { console.log(${JSON.stringify(version)}); process.exit(0); }
const stdin = () => require("node:fs").readFileSync(0, "utf8");
const skills = require("node:fs").readdirSync(${JSON.stringify(folders[host])}).filter((name) => name !== "hidden");
const { url, body } = (${requests[host].toString()})(skills, stdin, process);
fetch(url, { method: "POST", headers: { "anthropic-beta": "skills-1", authorization: "Bearer never-kept" }, body: JSON.stringify(body).replace("You are an agent.", ${JSON.stringify(words)}) })
  .then((response) => response.text())
  .then(() => process.exit(0));
`;
  writeFileSync(file, script);
  chmodSync(file, 0o755);
  return file;
}

const folders = {
  claude: ".claude/skills",
  codex: ".agents/skills",
  gemini: ".agents/skills",
  copilot: ".agents/skills",
};

type Build = (skills: string[], stdin: () => string, own: NodeJS.Process) => { url: string; body: unknown };

const requests = {
  claude: (skills, stdin, own) => ({
    url: `${own.env["ANTHROPIC_BASE_URL"]}/v1/messages?beta=true`,
    body: {
      model: "claude-haiku-4-5",
      stream: true,
      max_tokens: 100,
      system: [{ type: "text", text: "You are an agent.", cache_control: { type: "ephemeral" } }],
      tools: [{ name: "Skill" }, { name: "Read" }],
      messages: [
        { role: "user", content: [{ type: "text", text: stdin() }] },
        {
          role: "user",
          content: `The following skills are available for use with the Skill tool:\n\n${skills.map((name) => `- ${name}: About ${name}.`).join("\n")}`,
        },
      ],
    },
  }),
  codex: (skills, stdin, own) => ({
    url: `${/base_url="([^"]+)"/.exec(own.argv.join(" "))?.[1]}/responses`,
    body: {
      model: "gpt-5",
      stream: true,
      input: [
        { role: "developer", content: `<skills_instructions>\n${skills.join("\n")}` },
        { role: "user", content: [{ type: "input_text", text: stdin() }] },
      ],
    },
  }),
  gemini: (skills, stdin, own) => ({
    url: `${own.env["GOOGLE_GEMINI_BASE_URL"]}/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse`,
    body: {
      systemInstruction: { parts: [{ text: skills.join() }] },
      contents: [{ role: "user", parts: [{ text: stdin() }] }],
    },
  }),
  copilot: (skills, stdin, own) => ({
    url: `${own.env["COPILOT_PROVIDER_BASE_URL"]}/chat/completions`,
    body: {
      model: "gpt-4.1",
      stream: true,
      messages: [
        { role: "system", content: skills.join() },
        { role: "user", content: stdin() },
      ],
    },
  }),
} satisfies Record<string, Build>;
