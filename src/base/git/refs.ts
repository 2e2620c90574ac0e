import { join } from "node:path";
import { readText } from "../files/read-text.ts";
import { listFolder } from "../files/untrusted.ts";
import { hashIn, lineOf, type Repository } from "./repository.ts";

const MOST = 100_000;
const DEEPEST = 20;

export function refsOf({ common }: Repository): Map<string, string> {
  const refs = packed(common);
  const symbolic: [string, string][] = [];
  const visit = (name: string, depth: number) => {
    for (const entry of listFolder(join(common, name))) {
      const ref = `${name}/${entry.name}`;
      if (refs.size >= MOST || depth > DEEPEST || !isName(ref)) continue;
      if (entry.isDirectory()) visit(ref, depth + 1);
      else if (entry.isFile()) {
        const line = lineOf(join(common, ref), common);
        const hash = hashIn(line);
        const other = /^ref: (refs\/.+)$/.exec(line ?? "")?.[1];
        if (hash !== undefined) refs.set(ref, hash);
        else if (other !== undefined) symbolic.push([ref, other]);
      }
    }
  };
  visit("refs", 0);
  for (const [ref, other] of symbolic) {
    const hash = refs.get(other);
    if (hash !== undefined) refs.set(ref, hash);
  }
  return refs;
}

function packed(common: string): Map<string, string> {
  const read = readText(join(common, "packed-refs"), { within: common, mostBytes: 64 * 1024 * 1024 });
  const refs = new Map<string, string>();
  if (read.status === "unreadable") return refs;
  for (const line of read.text.split("\n")) {
    const [hash = "", ref = ""] = line.split(" ");
    if (hashIn(hash) !== undefined && isName(ref) && refs.size < MOST) refs.set(ref, hash);
  }
  return refs;
}

/** git's own rules for names, so that nothing in a name can mean anything else. */
function isName(ref: string): boolean {
  return (
    /^refs\/[^\u0000-\u0020~^:?*[\\\u007f]+$/.test(ref) &&
    ref.split("/").every((part) => part !== "" && !/^\.|\.\.|\.lock$/.test(part))
  );
}
