import type { createColors } from "picocolors";
import type { GateResult, Scores } from "../../../model/index.ts";
import { oneLine, wrap } from "../../text/fit-text.ts";
import type { ReportScreen } from "../screen.ts";

/** Every gate, met or not; a gate without a measurement is never green. */
export function gateLines({ gates, targets, options }: Scores, { colors, width }: ReportScreen): string[] {
  return gates.flatMap((result) =>
    gateLine(result, { several: targets.length > 1, allowPredicted: options.allowPredicted, colors, width }),
  );
}

interface GateTextOptions {
  several: boolean;
  allowPredicted: boolean;
  colors: ReturnType<typeof createColors>;
  width: number;
}

export function gateLine(
  { gate, status, target, message, predicted }: Omit<GateResult, "gate"> & { gate: { text: string } },
  { several, allowPredicted, colors, width }: GateTextOptions,
): string[] {
  const mark = { met: colors.green("✓"), breached: colors.red("✗"), unmeasured: colors.yellow("?") }[status];
  const where = several && target !== "" ? ` on ${oneLine(target)}` : "";
  const advisory =
    status === "breached" && predicted && !allowPredicted
      ? "; predicted, so it does not fail the run without --allow-predicted"
      : "";
  const text = `gate ${oneLine(gate.text)}${where}: ${oneLine(message)}${advisory}`;
  return wrap(text, width - 2).map((line, index) => `${index === 0 ? mark : " "} ${line}`);
}
