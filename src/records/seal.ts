import { hash } from "node:crypto";

export const SUM_LENGTH = 16;

/**
 * What makes damage to a record visible. Every line ends in its number, counted from 0, and a checksum over the line, its number and the
 * header's checksum: a line that was changed, lost, doubled, moved or comes from another run shows. A footer's number counts the lines
 * before it.
 */
export interface LineSeal {
  /** The line's JSON without the brace that closes it. */
  body: string;
  number: number;
  sum: string;
}

/** The JSON text of an object with its number and checksum as the last members. `seed` is the header's checksum, "" for the header itself. */
export function sealed(json: string, number: number, seed: string): { text: string; sum: string } {
  const body = json.slice(0, -1);
  const sum = sealSum({ body, number }, seed);
  return { text: `${body},"n":${number},"sum":"${sum}"}`, sum };
}

/** The seal a line ends in; undefined when it has none. */
export function unsealed(text: string): LineSeal | undefined {
  const found = text.endsWith('"}') ? SEAL.exec(text.slice(-LONGEST)) : null;
  if (found === null) return undefined;
  const [whole, number = "", sum = ""] = found;
  return { body: text.slice(0, text.length - whole.length), number: Number(number), sum };
}

const SEAL = /,"n":(0|[1-9]\d{0,11}),"sum":"([0-9a-f]{16})"\}$/;
const LONGEST = 60;

export function sealSum({ body, number }: Pick<LineSeal, "body" | "number">, seed: string): string {
  return sumOf(`${seed}\n${number}\n${body}`);
}

export function sumOf(text: string): string {
  return hash("sha256", text, "hex").slice(0, SUM_LENGTH);
}
