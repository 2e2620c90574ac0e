const STDOUT_KEPT = 16_000_000;

/**
 * What is kept of a trial so that it can be read again: whole lines of the CLI, and Proctor's own about where it ran,
 * how it ended, its session files and dropped lines.
 */
export class RawOutput {
  #text = "";
  #dropped = 0;
  readonly #kept: number;

  constructor(kept = STDOUT_KEPT) {
    this.#kept = kept;
  }

  line(line: string): void {
    if (this.#text.length + line.length > this.#kept) this.#dropped++;
    else this.#text += `${line}\n`;
  }

  note(type: "trial" | "exit" | "file", note: object): void {
    this.#text += `${JSON.stringify({ type: `proctor.${type}`, ...note })}\n`;
  }

  endOfLines(): void {
    if (this.#dropped > 0) this.#text += `${JSON.stringify({ type: "proctor.cut", lines: this.#dropped })}\n`;
  }

  toString(): string {
    return this.#text;
  }
}
