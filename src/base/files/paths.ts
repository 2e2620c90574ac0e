import { relative, sep } from "node:path";

export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

export function toPosix(path: string): string {
  return sep === "/" ? path : path.split(sep).join("/");
}

export function relativePosix(from: string, to: string): string {
  return toPosix(relative(from, to));
}
