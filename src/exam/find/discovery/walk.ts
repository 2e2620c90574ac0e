import { basename, join, relative, sep } from "node:path";
import { isMachineFolder, isWithin, kindAt, listFolder, realPath, tellLongWork } from "../../../base/index.ts";
import { isWalkedWhole, isWorktrees } from "./tool-folders.ts";

export interface WalkLimits {
  depth: number;
  folders: number;
  files: number;
}

export interface Walk {
  /** Absolute and sorted. */
  files: string[];
  linkedFiles: string[];
  linkedFolders: { link: string; folder: string }[];
  outside: string[];
  oddFolders: string[];
  /** A limit was reached, so files may be missing. */
  cut: boolean;
}

const defaults: WalkLimits = { depth: 24, folders: 60_000, files: 300_000 };

/** Build caches, and copies of skills that evaluation tools make: their skills would be found twice. */
const COPIES = new Set([".next", ".nuxt", ".turbo", "skill-snapshot"]);

export function isNeverOfInterest(name: string): boolean {
  return isMachineFolder(name) || COPIES.has(name);
}

/** Build output if a project file is beside it; elsewhere it may be the name of a skill. */
const built = new Set(["dist", "build", "out", "target", "coverage", "bin", "obj"]);
const project =
  /^(package\.json|Cargo\.toml|pom\.xml|pyproject\.toml|go\.mod|build\.gradle(\.kts)?|Makefile|.*\.(cs|fs)proj|.*\.sln)$/;

/**
 * Walks the folder once for all searches. Follows links only to folders within the root and visits no folder twice, so
 * cyclic links are harmless. Synchronous because that costs only microseconds per folder and nothing else is running
 * yet.
 */
export function walk(root: string, limits: Partial<WalkLimits> = {}): Walk {
  const { depth, folders, files } = { ...defaults, ...limits };
  const result: Walk = { files: [], linkedFiles: [], linkedFolders: [], outside: [], oddFolders: [], cut: false };
  const realRoot = realPath(root) ?? root;
  const seen = new Map<string, string>([[realRoot, root]]);
  const links: string[] = [];
  let open = [{ folder: root, real: realRoot, depth: 0 }];

  const visit = (folder: string, real: string, level: number, next: typeof open) => {
    const entries = listFolder(folder);
    const isProject = entries.some((entry) => project.test(entry.name));
    const onlySkills = isUnknownHidden(folder, root);
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isFile()) {
        if (onlySkills) continue;
        if (result.files.length >= files) result.cut = true;
        else result.files.push(path);
      } else if (entry.isSymbolicLink()) {
        links.push(path);
      } else if (entry.isDirectory()) {
        if (entry.name === "SKILL.md") result.oddFolders.push(path);
        if (skips(entry.name, folder, isProject) || (onlySkills && entry.name !== "skills")) continue;
        if (level + 1 > depth || seen.size >= folders) {
          result.cut = true;
          continue;
        }
        const realPath = join(real, entry.name);
        if (seen.has(realPath)) continue;
        seen.set(realPath, path);
        next.push({ folder: path, real: realPath, depth: level + 1 });
      }
    }
  };

  while (open.length > 0) {
    const next: typeof open = [];
    for (const { folder, real, depth: level } of open) {
      tellLongWork(
        () => `Looking for skills and suites: ${result.files.length.toLocaleString("en")} files so far, in ${folder}`,
      );
      visit(folder, real, level, next);
    }
    open = next.length > 0 ? next : resolveLinks(links.splice(0), { realRoot, root, seen, result });
  }
  result.files.sort(byText);
  return result;
}

interface Linking {
  realRoot: string;
  root: string;
  seen: Map<string, string>;
  result: Walk;
}

function resolveLinks(links: string[], { realRoot, root, seen, result }: Linking) {
  const next: { folder: string; real: string; depth: number }[] = [];
  for (const link of links.sort(byText)) {
    const real = realPath(link);
    if (real === undefined) continue;
    const kind = kindAt(real);
    const inside = isWithin(realRoot, real);
    if (kind === "file") {
      if (inside && /[\\/]skill\.md$/i.test(link)) result.linkedFiles.push(link);
    } else if (kind === "folder") {
      const walked = seen.get(real);
      if (!inside) result.outside.push(link);
      else if (walked !== undefined) result.linkedFolders.push({ link, folder: walked });
      else if (
        !/[\\/](node_modules|\.git)([\\/]|$)/.test(relative(realRoot, real)) ||
        /[\\/]skills?[\\/][^\\/]+$/.test(link)
      ) {
        seen.set(real, link);
        next.push({ folder: link, real, depth: relative(root, link).split(sep).length });
      }
    }
  }
  return next;
}

function skips(name: string, folder: string, isProject: boolean): boolean {
  if (isNeverOfInterest(name) || /^iteration-\d+$/.test(name)) return true;
  if (isWorktrees(name, basename(folder))) return true;
  return isProject && built.has(name);
}

function isUnknownHidden(folder: string, root: string): boolean {
  if (folder === root) return false;
  return !isWalkedWhole(folder.slice(folder.lastIndexOf(sep) + 1));
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
