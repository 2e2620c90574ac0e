import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cacheFolder } from "./install.ts";

const folder = join(import.meta.dirname, "../hosts/fixtures");

/** What each CLI wrote in each scenario, kept so that its adapter can be tested without it. */
export function recordingFile(id: string, name: string): string {
  return join(folder, id, "scenarios", `${name.replaceAll(/[^A-Za-z0-9]+/g, "-")}.jsonl`);
}

/** What Proctor said about it, by scenario. */
export function saidFile(id: string): string {
  return join(folder, id, "scenarios", "said.json");
}

/** Nothing of the machine it was recorded on stays in it, and of long texts only their beginnings and listings. */
export function record(id: string, name: string, raw: string, said: string): void {
  const file = recordingFile(id, name);
  mkdirSync(dirname(file), { recursive: true });
  const root = /"workspace":"([^"]+)\/project"/.exec(raw)?.[1] ?? "";
  const slug = root.replaceAll(/[/.]/g, "-");
  const anonymous = raw
    .replaceAll(root, "/ws")
    .replaceAll(slug, "-ws")
    .replaceAll(slug.slice(1), "ws")
    .replaceAll(cacheFolder(), "/cache");
  writeFileSync(file, shortLines(anonymous));
  const all = existsSync(saidFile(id))
    ? (JSON.parse(readFileSync(saidFile(id), "utf8")) as Record<string, string>)
    : {};
  writeFileSync(saidFile(id), `${JSON.stringify({ ...all, [name]: said }, null, 2)}\n`);
}

/** Such texts are the CLIs' own prompts and tools; of them only what tells of skills is read. */
const LONG = 400;
const LISTING = /<(skills_instructions|available_skills)>[\s\S]*?<\/\1>/;

function shortLines(text: string): string {
  const lines = text.split("\n").map((line) => (line.startsWith("{") ? shortLine(line) : line));
  return lines.filter((line) => line.length < 8 * LONG || line.startsWith(FILE) || lines.length === 1).join("\n");
}

const FILE = '{"type":"proctor.file"';

function shortLine(line: string): string {
  const { text, ...rest } = JSON.parse(line) as { text?: string };
  // A session file, itself made of lines.
  if (line.startsWith(FILE)) return JSON.stringify({ ...rest, text: shortLines(text ?? "") });
  return JSON.stringify(JSON.parse(line), (_, value: unknown) =>
    typeof value === "string" && value.length > LONG ? short(value) : value,
  );
}

function short(text: string): string {
  // A body that a search has found.
  if (text.includes("BODY-OF-") && text.length < 8 * LONG) return text;
  return LISTING.exec(text)?.[0] ?? `${text.slice(0, 80)}…`;
}
