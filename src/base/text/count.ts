/** `1 skill`, `2 skills`, `1,000 skills`. */
export function count(n: number, noun: string): string {
  return `${n < 1000 ? n : n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
}
