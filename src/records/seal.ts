import { hash } from "node:crypto";

export const SUM_LENGTH = 16;

/**
 * What makes damage to a record visible. Every line ends in its number, counted from 0, and a checksum over the line, its number and the
 * header's checksum: a line that was changed, lost, doubled, moved or comes from another run shows. A footer's number counts the lines
 * before it.
 */
interface LineSeal {
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

/** A line as it is in the file: of a record of 500,000 lines each is looked at once, and a text is made of it once. */
export interface SealedBytes {
  /** The line's JSON without its seal. */
  json: string;
  seal?: { number: number; sum: string; fits: boolean };
}

/** Reads a line and says whether its checksum fits, given the header's; "" for the header itself. The bytes are scratch space afterwards. */
export function readSealed(line: Buffer, seed: string): SealedBytes {
  const found = SEAL.exec(line.toString("latin1", Math.max(0, line.length - LONGEST)));
  if (found === null) return { json: line.toString("utf8") };
  const [whole, number = "", sum = ""] = found;
  const end = line.length - whole.length;
  const fits = sumOfBytes(`${seed}\n${number}\n`, line, end) === sum;
  line[end] = BRACE;
  return { json: line.toString("utf8", 0, end + 1), seal: { number: Number(number), sum, fits } };
}

const BRACE = "}".charCodeAt(0);
let scratch = Buffer.allocUnsafe(65_536);

function sumOfBytes(before: string, line: Buffer, end: number): string {
  if (scratch.length < before.length + end) scratch = Buffer.allocUnsafe(2 * (before.length + end));
  const start = scratch.write(before, "latin1");
  line.copy(scratch, start, 0, end);
  return hash("sha256", scratch.subarray(0, start + end), "hex").slice(0, SUM_LENGTH);
}

function sealSum({ body, number }: Pick<LineSeal, "body" | "number">, seed: string): string {
  return sumOf(`${seed}\n${number}\n${body}`);
}

export function sumOf(text: string): string {
  return hash("sha256", text, "hex").slice(0, SUM_LENGTH);
}
