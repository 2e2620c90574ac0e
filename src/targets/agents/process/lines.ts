import { StringDecoder } from "node:string_decoder";

/** Cuts a byte stream into lines. Characters may be split over chunks, and the last line may lack its newline. */
export class LineSplitter {
  #decoder = new StringDecoder("utf8");
  #rest = "";

  push(chunk: Buffer): string[] {
    return this.#cut(this.#decoder.write(chunk));
  }

  end(): string[] {
    const lines = this.#cut(this.#decoder.end());
    const last = this.#rest;
    this.#rest = "";
    return last === "" ? lines : [...lines, last];
  }

  #cut(text: string): string[] {
    const parts = text.split("\n");
    parts[0] = this.#rest + parts[0];
    this.#rest = parts.pop() ?? "";
    return parts.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  }
}
