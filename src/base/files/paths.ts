import { relative, sep } from "node:path";

/** Is the path the folder itself, or below it? Both absolute and normalised; links are not looked at. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** A path with forward slashes, as it is shown and recorded on every system. */
export function toPosix(path: string): string {
  return sep === "/" ? path : path.split(sep).join("/");
}

/** The way from one absolute path to another, with forward slashes; "" when they are the same. */
export function relativePosix(from: string, to: string): string {
  return toPosix(relative(from, to));
}
