import { Command, InvalidArgumentError } from "commander";
import { UsageError } from "../base/index.ts";
import type { Routed, RoutedLibrary } from "../reports/index.ts";
import type { Library } from "../skills/index.ts";

interface RouteFlags {
  target: string;
  top: number;
  json: boolean;
  config?: string;
}

export function routeCommand(): Command {
  return new Command("route")
    .description("Who would get this query, and why: predicted from the skills' cards alone, offline.")
    .argument("<query>", "what a user would type; - reads it from standard input")
    .argument("[paths...]", "where the skills are (default: everything from here)")
    .option("-t, --target <target>", "embedded, embedded:keywords or embedded:minilm", "embedded")
    .option("--top <n>", "show so many skills", wholeNumber, 5)
    .option("--json", "for programs", false)
    .option("--config <file>", "configuration to use instead of the nearest proctor.config.*")
    .action(async (query: string, paths: string[], flags: RouteFlags) => {
      const text = query === "-" ? await standardInput() : query;
      const routed = await routeQuery({ ...flags, cwd: process.cwd(), query: text, paths });
      process.stdout.write(await render(routed, flags));
    });
}

export interface RouteOptions {
  cwd: string;
  query: string;
  paths?: string[];
  target?: string;
  top?: number;
  config?: string;
}

/** Who would get this query in each library found from here. */
export async function routeQuery({ cwd, query, paths = [], target = "embedded", top = 5, config }: RouteOptions): Promise<Routed> {
  if (query.trim() === "") throw new UsageError("the query is empty", 'Say what a user would type: proctor route "Where is my order?"');
  if (!/^embedded(?::|$)/.test(target))
    throw new UsageError(
      `proctor route reads cards and asks nobody, so ${target} cannot answer`,
      `Put it to ${target} in a suite: proctor run -t ${target}`,
    );
  const [{ findLibraries }, { loadEmbedded }] = await Promise.all([import("./find-libraries.ts"), import("../targets/index.ts")]);
  const { embeddedTarget } = await loadEmbedded();
  const { id, note = "" } = embeddedTarget(target);
  const { libraries } = await findLibraries({ cwd, paths, ...(config === undefined ? {} : { config }) });
  const routed: RoutedLibrary[] = [];
  for (const library of libraries) routed.push(await routeIn(library, query, { target, top, cwd }));
  return { query, target: id, note, top, libraries: routed };
}

async function routeIn(
  library: Library,
  query: string,
  { target, top, cwd }: { target: string; top: number; cwd: string },
): Promise<RoutedLibrary> {
  const { openPredictor, unknownWords } = await (await import("../targets/index.ts")).loadEmbedded();
  const predict = await openPredictor(target, library, { root: cwd, most: top });
  const { name, skills, fingerprint } = library;
  return {
    ...(await predict(query)),
    name,
    skills: skills.length,
    fingerprint,
    unknown: unknownWords(query, skills),
    hidden: skills.filter(({ modelInvocable }) => !modelInvocable).length,
  };
}

async function render(routed: Routed, { json }: RouteFlags): Promise<string> {
  const { routeJson, routeText } = await import("../reports/index.ts");
  if (json) return routeJson(routed);
  const { createColors } = await import("picocolors");
  return routeText(routed, { colors: createColors(), width: Math.min(process.stdout.columns ?? 100, 120) });
}

/** More than anybody types: a file that was given by mistake. */
const MOST_BYTES = 8_000_000;

async function standardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    chunks.push(Buffer.from(chunk));
    size += chunks.at(-1)!.length;
    if (size > MOST_BYTES) throw new UsageError("the query on standard input is over 8 MB", "Give the prompt itself, not a file of data.");
  }
  return Buffer.concat(chunks).toString("utf8");
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError("It is a whole number, 1 or more.");
  return Number(text);
}
