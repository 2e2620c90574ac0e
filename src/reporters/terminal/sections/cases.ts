import { count } from "../../../base/index.ts";
import type { QuestionScore, Scores } from "../../../model/index.ts";
import { oneLine, truncate } from "../../text/fit-text.ts";
import type { ReportScreen } from "../screen.ts";

/** Cases that pass although some of their checks could not be made: a green that means less than it seems. */
export function uncheckedLines({ targets }: Scores, { colors, width }: ReportScreen): string[] {
  return targets.flatMap(({ id, questions }) => {
    const cases = questions.filter(({ kind, verdict }) => kind === "case" && verdict === "pass");
    const open = cases.filter(({ unchecked }) => unchecked !== undefined);
    if (open.length === 0) return [];
    const where = targets.length > 1 ? `${oneLine(id)}: ` : "";
    const passing =
      cases.length === 1 ? "the only case that passes" : `${open.length} of ${cases.length} cases that pass`;
    return [
      colors.yellow(`${where}${passing} could be checked only in part:`),
      ...open
        .slice(0, MOST_UNCHECKED)
        .map((one) => truncate(`  ${calledCase(one)}  ${oneLine((one.unchecked ?? []).join("; "))}`, width)),
      ...(open.length > MOST_UNCHECKED ? [colors.dim(`  … and ${open.length - MOST_UNCHECKED} more`)] : []),
    ];
  });
}

const MOST_UNCHECKED = 5;

function calledCase({ name, id }: QuestionScore): string {
  return oneLine(name ?? id.slice(id.indexOf("#") + 1));
}

/** Cases in which the skill under test was never loaded: next to the scores, because these are not its doing. */
export function neverLoadedLines({ targets }: Scores, { colors, width }: ReportScreen): string[] {
  return targets.flatMap(({ id, questions }) => {
    const cases = questions.filter(({ kind, status }) => kind === "case" && status === "asked");
    const never = cases.filter(({ neverLoaded }) => neverLoaded);
    if (never.length === 0) return [];
    const where = targets.length > 1 ? `${oneLine(id)}: ` : "";
    const names = never.map(calledCase).join(", ");
    const text = `${where}in ${never.length} of ${count(cases.length, "case")} the skill was never loaded, so their scores are not its doing: ${names}`;
    return [colors.yellow(truncate(text, width * 2))];
  });
}
