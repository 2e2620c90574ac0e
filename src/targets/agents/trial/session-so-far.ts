import type { SessionFile } from "../../../hosts/reading/index.ts";
import type { EndEvent, Usage } from "../../../transcripts/index.ts";

/** What the messages of a session have told so far. A CLI that goes on with it writes to the same files, and may count on from where it was. */
export class SessionSoFar {
  readonly #read = new Map<string, number>();
  #spent: Pick<EndEvent, "usage" | "costUsd"> = {};

  /** What was written since the message before: all else was told then. */
  newIn(files: readonly SessionFile[]): SessionFile[] {
    return files.flatMap((file) => {
      const before = this.#read.get(file.path) ?? 0;
      this.#read.set(file.path, file.text.length);
      if (before === 0) return [file];
      const text = file.text.slice(before);
      return text === "" ? [] : [{ ...file, text, head: file.text.slice(0, file.text.indexOf("\n")) }];
    });
  }

  /** What a message alone has spent, of an end that tells what all of them have. */
  ownShare(end: EndEvent): EndEvent {
    const { usage, costUsd } = this.#spent;
    this.#spent = { usage: end.usage ?? usage, costUsd: end.costUsd ?? costUsd };
    return {
      ...end,
      usage: end.usage && less(end.usage, usage),
      costUsd: end.costUsd === undefined ? undefined : Math.max(0, end.costUsd - (costUsd ?? 0)),
    };
  }
}

function less(usage: Usage, before: Usage = {}): Usage {
  return Object.fromEntries(
    Object.entries(usage).map(([name, tokens]) => [
      name,
      tokens === undefined ? undefined : Math.max(0, tokens - (before[name as keyof Usage] ?? 0)),
    ]),
  );
}
