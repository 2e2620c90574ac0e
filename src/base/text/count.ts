export function count(n: number, noun: string): string {
  return `${n < 1000 ? n : n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
}
