import { writeSync } from "node:fs";
import { createRecord } from "../../src/exam/record/index.ts";
import { header, transcript, trial } from "./sample-lines.ts";

/** Arguments for a node process that writes trials until something stops it, and says after each how many are written. */
export function writeTrialsArguments(root: string): string[] {
  return ["--import", "jiti/register", import.meta.filename, "write trials", root];
}

if (process.argv[2] === "write trials") await writeTrials(process.argv[3]!);

async function writeTrials(root: string): Promise<void> {
  const writer = await createRecord(root, header, { mask: (text) => text });
  try {
    for (let run = 1; ; run++) {
      await writer.trial(trial(run), { transcript: transcript(`answer ${run}`) });
      say(`${run}\n`);
    }
  } catch (error) {
    say(`${error}\n`);
    await writer.abandon().catch(() => {});
  }
}

/** A pipe that nobody empties in time takes nothing for a while. */
function say(text: string): void {
  for (;;) {
    try {
      writeSync(1, text);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
    }
  }
}
