import { chmodSync } from "node:fs";
import { join } from "node:path";
import { resolveTarget, type TargetContext } from "../src/targets/index.ts";
import type { World } from "./world.ts";

/** What begins a script for `fakeAgent`: it tells its version, reads the prompt, and can `say` an event as a line of JSON. */
const BEGINNING = `#!${process.execPath}
const fs = require("node:fs");
if (process.argv[2] === "--version") { console.log("1.2.3"); process.exit(0); }
const prompt = fs.readFileSync(0, "utf8");
const say = (event) => console.log(JSON.stringify(event));
`;

interface FakeAgent {
  file?: string;
  /** Further members of its definition. */
  members?: string;
  /** Its arguments, as an expression of a trial. */
  args?: string;
}

/** Puts an agent into a world, as `agent:fake.mjs`, whose CLI runs this script. Its events are a `tool` call, that it is `done`, a `text`, and the `end`, which it says last. */
export function fakeAgent(
  world: World,
  script: string,
  { file = "fake.mjs", members = "", args = "[]" }: FakeAgent = {},
): void {
  const command = join(world.dir, "fake-agent");
  world.write("fake-agent", `${BEGINNING}${script}say({ type: "end" });\n`);
  chmodSync(command, 0o755);
  world.write(
    file,
    `import { defineAgent } from "proctor";
    export default defineAgent({
      name: "fake", command: ${JSON.stringify(command)}, skillsDir: ".skills", readOnly: true, ${members}
      launch: (trial) => ({ args: ${args}, env: {}, stdin: trial.prompt }),
      events: (line) => line.type === "tool" ? [{ type: "call", id: line.id, tool: "skill", skill: line.skill }]
        : line.type === "done" ? [{ type: "result", id: line.id, ok: line.ok }]
        : line.type === "text" ? [{ type: "text", text: line.text }]
        : line.type === "end" ? [{ type: "end" }] : [],
    });`,
  );
}

/** What the agent says when it is asked to look, once. */
export async function saidByAgent(world: World, context: TargetContext): Promise<string> {
  const target = await resolveTarget("agent:fake.mjs", context);
  const { library } = await world.prepare({ targets: ["embedded"] });
  const sitting = await target.open(library);
  const ask = {
    key: "look",
    kind: "trigger" as const,
    prompt: "look",
    files: [],
    messages: [],
    library: "",
    limits: {},
  };
  const answer = await sitting.ask(ask, { run: 1, signal: new AbortController().signal, decided: () => false });
  const texts: string[] = [];
  for await (const event of answer.events) if (event.type === "text") texts.push(event.text);
  await sitting.close();
  return texts.join();
}
