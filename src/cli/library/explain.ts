import { Command } from "commander";
import { didYouMean, type Rule, UsageError } from "../../base/index.ts";
import { examples } from "../flags/help.ts";
import { addOptions } from "../flags/options.ts";
import { print } from "../printing/print.ts";
import { pageText } from "../printing/rule-page.ts";

export function explainCommand(): Command {
  const command = new Command("explain")
    .description("Explain what a rule of proctor check means and what to do about it.")
    .argument("[code]", "the rule, such as skill/unquoted-colon or unquoted-colon (default: the list of all rules)");
  return addOptions(command, "explain")
    .addHelpText(
      "after",
      examples(
        [
          ["proctor explain", "every rule"],
          ["proctor explain unquoted-colon", "one of them, with what to do"],
        ],
        "check.md",
      ),
    )
    .action(async (code: string | undefined, { json }: { json?: boolean }) => {
      const { rules } = await import("../../check/index.ts");
      print(json ? asJson(rules, code) : code === undefined ? list(rules) : page(codeOf(code, rules)));
    });
}

function list(rules: Record<string, Rule>): string {
  const sorted = Object.entries(rules).sort(([a], [b]) => (a < b ? -1 : 1));
  const column = Math.max(...sorted.map(([code]) => code.length));
  const lines = sorted.map(([code, { severity, title }]) => `${code.padEnd(column)}  ${severity.padEnd(7)}  ${title}`);
  return `${lines.join("\n")}\n\nnext: proctor explain ${sorted[0]?.[0]}\n`;
}

function page(code: string): string {
  return pageText(`docs/rules/${slugOf(code)}.md`) ?? "";
}

function asJson(rules: Record<string, Rule>, asked: string | undefined): string {
  const codes = asked === undefined ? Object.keys(rules).sort() : [codeOf(asked, rules)];
  const listed = codes.map((code) => ({
    code,
    severity: rules[code]?.severity,
    title: rules[code]?.title,
    page: page(code),
  }));
  return `${JSON.stringify({ version: 1, rules: listed }, null, 2)}\n`;
}

function codeOf(asked: string, rules: Record<string, Rule>): string {
  const codes = Object.keys(rules);
  const wanted = asked.trim().toLowerCase();
  const code = codes.find((one) => one === wanted || slugOf(one) === wanted);
  if (code !== undefined) return code;
  throw new UsageError(
    `there is no rule ${asked}`,
    didYouMean(slugOf(wanted), codes.map(slugOf), "proctor explain lists them all."),
  );
}

function slugOf(code: string): string {
  return code.slice(code.indexOf("/") + 1);
}
