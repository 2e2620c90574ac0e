import { Command } from "commander";
import { didYouMean, type Rule, UsageError } from "../base/index.ts";
import { print } from "./print.ts";
import { pageText } from "./rule-page.ts";

export function explainCommand(): Command {
  return new Command("explain")
    .description("What a rule of proctor check means and what to do about it.")
    .argument("[code]", "the rule, such as skill/unquoted-colon or unquoted-colon (default: the list of all rules)")
    .action(async (code: string | undefined) => {
      const [{ skillRules }, { suiteRules }] = await Promise.all([import("../hosts/lint/index.ts"), import("../suites/index.ts")]);
      const rules: Record<string, Rule> = { ...skillRules, ...suiteRules };
      print(code === undefined ? list(rules) : page(code, Object.keys(rules)));
    });
}

function list(rules: Record<string, Rule>): string {
  const sorted = Object.entries(rules).sort(([a], [b]) => (a < b ? -1 : 1));
  const column = Math.max(...sorted.map(([code]) => code.length));
  const lines = sorted.map(([code, { severity, title }]) => `${code.padEnd(column)}  ${severity.padEnd(7)}  ${title}`);
  return `${lines.join("\n")}\n\nnext: proctor explain ${sorted[0]?.[0]}\n`;
}

function page(asked: string, codes: readonly string[]): string {
  const wanted = asked.trim().toLowerCase();
  const code = codes.find((one) => one === wanted || slugOf(one) === wanted);
  const text = code === undefined ? undefined : pageText(`docs/rules/${slugOf(code)}.md`);
  if (text !== undefined) return text;
  throw new UsageError(`there is no rule ${asked}`, didYouMean(slugOf(wanted), codes.map(slugOf), "proctor explain lists them all."));
}

function slugOf(code: string): string {
  return code.slice(code.indexOf("/") + 1);
}
