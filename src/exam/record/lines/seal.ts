import { hash } from "node:crypto";
import type { LineBytes } from "./whole-lines.ts";

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

/** Reads a line and says whether its checksum fits, given the header's; "" for the header itself. */
export function readSealed(line: LineBytes, seed: string): SealedBytes {
  const { data, start, end } = line;
  const digits = digitsOf(line);
  if (digits === undefined) return { json: data.toString("utf8", start, end) };
  const bodyEnd = digits.start - NUMBER.length;
  const own = sumOfBody(data, { start, end: bodyEnd }, digits, seed);
  const sumStart = end - END.length - SUM_LENGTH;
  const fits = isText(data, sumStart, own);
  const sum = fits ? own : data.toString("latin1", sumStart, sumStart + SUM_LENGTH);
  data[bodyEnd] = BRACE;
  return { json: data.toString("utf8", start, bodyEnd + 1), seal: { number: numberOf(data, digits), sum, fits } };
}

interface ByteSpan {
  start: number;
  end: number;
}

const NUMBER = Buffer.from(',"n":');
const SUM = Buffer.from(',"sum":"');
const END = Buffer.from('"}');
const [QUOTE, BRACE] = END as unknown as [number, number];
const [ZERO, NINE, A, F] = Buffer.from("09af") as unknown as [number, number, number, number];
const NEWLINE = 10;

/** Where the number of a line's seal is; undefined when it has no seal. The same as `SEAL` says, without a text and a match for every line. */
function digitsOf({ data, start, end }: LineBytes): ByteSpan | undefined {
  const sumStart = end - END.length - SUM_LENGTH;
  const digitsEnd = sumStart - SUM.length;
  if (digitsEnd - NUMBER.length <= start || data[end - 1] !== BRACE || data[end - 2] !== QUOTE) return undefined;
  for (let at = sumStart; at < end - END.length; at++) if (!isHex(data[at] as number)) return undefined;
  if (!holds(data, digitsEnd, SUM)) return undefined;
  let digitsStart = digitsEnd;
  while (digitsStart > start && isDigit(data[digitsStart - 1] as number)) digitsStart--;
  const length = digitsEnd - digitsStart;
  if (length < 1 || length > 12 || (length > 1 && data[digitsStart] === ZERO)) return undefined;
  const at = digitsStart - NUMBER.length;
  return at >= start && holds(data, at, NUMBER) ? { start: digitsStart, end: digitsEnd } : undefined;
}

function holds(data: Buffer, at: number, bytes: Buffer): boolean {
  for (let index = 0; index < bytes.length; index++) if (data[at + index] !== bytes[index]) return false;
  return true;
}

function isText(data: Buffer, at: number, text: string): boolean {
  for (let index = 0; index < text.length; index++) if (data[at + index] !== text.charCodeAt(index)) return false;
  return true;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}

function isHex(byte: number): boolean {
  return isDigit(byte) || (byte >= A && byte <= F);
}

function numberOf(data: Buffer, { start, end }: ByteSpan): number {
  let number = 0;
  for (let at = start; at < end; at++) number = 10 * number + (data[at] as number) - ZERO;
  return number;
}

/** What comes before the line in its checksum is written into the room before it, so that nothing is copied. */
function sumOfBody(data: Buffer, body: ByteSpan, digits: ByteSpan, seed: string): string {
  let at = body.start;
  data[--at] = NEWLINE;
  for (let from = digits.end - 1; from >= digits.start; from--) data[--at] = data[from] as number;
  data[--at] = NEWLINE;
  for (let index = seed.length - 1; index >= 0; index--) data[--at] = seed.charCodeAt(index);
  return hash("sha256", data.subarray(at, body.end), "hex").slice(0, SUM_LENGTH);
}

function sealSum({ body, number }: Pick<LineSeal, "body" | "number">, seed: string): string {
  return sumOf(`${seed}\n${number}\n${body}`);
}

export function sumOf(text: string): string {
  return hash("sha256", text, "hex").slice(0, SUM_LENGTH);
}
