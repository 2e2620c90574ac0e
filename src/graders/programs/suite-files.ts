import { isAbsolute, resolve } from "node:path";
import { isWithin, kindAt } from "../../base/index.ts";

/** A word of a command as the program is to see it: the absolute path, where it names a file beside the suite. */
export function besideSuite(word: string, suiteDir: string | undefined): string {
  if (suiteDir === undefined || word === "" || isAbsolute(word)) return word;
  const path = resolve(suiteDir, word);
  return isWithin(suiteDir, path) && kindAt(path, suiteDir) === "file" ? path : word;
}
