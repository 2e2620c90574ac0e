import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "./install.ts";

const folder = join(import.meta.dirname, "../targets/agents/fixtures");

/** What each CLI wrote in each scenario, kept so that its adapter can be tested without it. */
export function recordingFile(id: string, name: string): string {
  return join(folder, id, "scenarios", `${name.replaceAll(/[^A-Za-z0-9]+/g, "-")}.jsonl`);
}

/** What Proctor said about it, by scenario. */
export function saidFile(id: string): string {
  return join(folder, id, "scenarios", "said.json");
}

/** Nothing of the machine it was recorded on stays in it. */
export function record(id: string, name: string, raw: string, said: string): void {
  const file = recordingFile(id, name);
  mkdirSync(join(file, ".."), { recursive: true });
  const root = /"workspace":"([^"]+)\/project"/.exec(raw)?.[1] ?? "";
  const slug = root.replaceAll(/[/.]/g, "-");
  writeFileSync(file, raw.replaceAll(root, "/ws").replaceAll(slug, "-ws").replaceAll(cacheFolder(), "/cache"));
  const all = existsSync(saidFile(id)) ? (JSON.parse(readFileSync(saidFile(id), "utf8")) as Record<string, string>) : {};
  writeFileSync(saidFile(id), `${JSON.stringify({ ...all, [name]: said }, null, 2)}\n`);
}
