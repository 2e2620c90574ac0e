import { Command } from "commander";
import { VERSION } from "../base/index.ts";

/** Runs one command line and returns its exit code. Each command loads what it needs only when it runs. */
export async function main(argv: string[]): Promise<number> {
  const program = new Command("proctor").description("Exams for agent skills.").version(VERSION);
  await program.parseAsync(argv);
  return 0;
}
