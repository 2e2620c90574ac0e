import type { ExamEvent } from "../../exam/ask/index.ts";
import { createProgress, failureText, type ProgressDisplay, wrap } from "../../reporters/index.ts";
import { clearLongWork } from "../printing/long-work.ts";
import { printError } from "../printing/print.ts";
import { hasColor, terminalWidth } from "../printing/terminal.ts";

export interface Screen {
  show(event: ExamEvent): void;
  say(text: string): void;
  stop(): void;
}

/** Draws on standard error, because standard output is for the report. */
export function startScreen({ quiet, verbose }: { quiet: boolean; verbose: boolean }): Screen {
  let progress: ProgressDisplay | undefined;
  const stop = () => {
    progress?.stop();
    progress = undefined;
  };
  const say = (text: string) => {
    progress?.pause();
    const width = process.stderr.columns;
    printError(`${width === undefined ? text : wrap(text, width).join("\n")}\n`);
  };
  return {
    stop,
    say,
    show(event) {
      if (event.type === "notice") say(event.text);
      if (event.type === "schedule") {
        const text = wordsFor(event.event, verbose);
        if (text !== undefined) say(text);
      }
      if (event.type === "record" && event.resumed > 0 && !quiet)
        say(
          event.complete
            ? `Nothing is missing from run ${event.place.run}: everything it asks is in the record.`
            : `Resuming run ${event.place.run}: ${event.resumed} ${event.resumed === 1 ? "trial is" : "trials are"} in the record.`,
        );
      if (quiet) return;
      if (event.type === "failed")
        progress?.tell(() =>
          failureText(event.target, event.question, { color: hasColor(process.stderr), width: terminalWidth(160) }),
        );
      if (event.type !== "progress") return;
      clearLongWork();
      progress ??= createProgress({ stream: process.stderr, color: hasColor(process.stderr) });
      progress.update(event.snapshot);
    },
  };
}

const LIMITS = {
  usd: "The budget",
  tokens: "The budget of tokens (--budget-tokens)",
  trials: "The number of trials (--max-trials)",
};

function wordsFor(event: Extract<ExamEvent, { type: "schedule" }>["event"], verbose: boolean): string | undefined {
  switch (event.type) {
    case "paused":
      return `${event.target} is paused: its last trials were errors (${bare(event.error.message)}). A few more, one at a time, will show whether it can continue.`;
    case "resumed":
      return `${event.target} answers again and continues.`;
    case "given up":
      return `${event.target} is no longer asked: ${bare(event.error.message)}. The remaining questions have no verdict on it.`;
    case "out of budget":
      return `${LIMITS[event.limit]} is used up for ${event.target}; the rest is not asked.`;
    case "slower":
      return verbose ? `${event.target} is asked more slowly: ${event.limit} at once.` : undefined;
    case "retry":
      return verbose
        ? `${event.target}: ${bare(event.error.message)}; again in ${(event.delayMs / 1000).toFixed(1)} s.`
        : undefined;
    case "started":
    case "ended":
      return undefined;
  }
}

function bare(message: string): string {
  return message.trim().replace(/(?<!\.)\.+$/, "");
}
