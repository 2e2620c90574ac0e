import { basename, dirname, extname, sep } from "node:path";
import { isWithin, type Problem } from "../../base/index.ts";
import { isLikelySuite, suiteProblem, syntaxOf } from "../../formats/index.ts";
import { type Names, pathInLibrary } from "../find/index.ts";
import { isMaterial } from "./candidates.ts";

const otherData = /^\.(?:toml|xlsx?|ods|numbers|xml|parquet|arrow|avro|sqlite3?|db|hjson|ini|ipynb|plist|edn)$/i;

export function unreadFormats(files: readonly string[], names: Names): Problem[] {
  const found = files.filter(
    (file) =>
      otherData.test(extname(file)) && isLikelySuite(pathInLibrary(file, names.library)) && !isMaterial(file, names),
  );
  return found.map((file) =>
    suiteProblem("suite/not-read", {
      message: `This file is called like a suite, but ${extname(file)} files are not read, so none of it is asked.`,
      fix: "Save it as JSON, YAML or CSV.",
      location: { file },
    }),
  );
}

export function isStrayPrompt(file: string): boolean {
  return (
    /[\\/](?:evals?|tests?|__tests__|specs?)[\\/](?:[^\\/]+[\\/])*(?:prompts|triggers|queries)[\\/][^\\/]+\.txt$/i.test(
      file,
    ) && !packaging.test(basename(file))
  );
}

const evalFolder = /^\.?(?:evals?|evaluations?)$/i;
/** An `evals` in one of these folders is part of a program. */
const codeFolder =
  /^(?:src|lib|dist|build|out|target|vendor|site-packages|docs?|results?|reports?|outputs?|runs|logs?)$/i;
/** Programs may ask something but are not read. Data files are not listed, because they were offered to the formats. */
const programs = /^\.(?:py|sh|bash|ps1|bats|[cm]?[jt]sx?|rb|go|rs|java|kt|cs|exs?|php|pl|lua)$/i;
const promptPage = /^(?:input|prompt|question|query|task|instructions?|user)\.(?:md|markdown)$/i;
const packaging = /^(?:requirements.*\.txt|__init__\.py|conftest\.py|license.*\.txt|readme.*\.txt)$/i;

export function unreadFolders(files: readonly string[], known: ReadonlySet<string>, names: Names): Problem[] {
  const folders = new Map<string, string[]>();
  for (const file of files) {
    const folder = evalFolderOf(file, names);
    if (folder !== undefined) folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  const silent = [...folders].filter(([folder]) => ![...known].some((file) => isWithin(folder, file)));
  return silent.flatMap(([folder, all]) => {
    const telling = all.filter(
      (file) =>
        !packaging.test(basename(file)) &&
        (programs.test(extname(file)) || syntaxOf(file) === "text" || promptPage.test(basename(file))) &&
        !isMaterial(file, names),
    );
    const [first] = telling.sort();
    if (first === undefined) return [];
    const isCode = all.every((file) => syntaxOf(file) === undefined || packaging.test(basename(file)));
    return suiteProblem("suite/not-read", {
      message: `The folder ${basename(folder)} looks like evals, but ${isCode ? "holds only programs, which are not run" : "no question was understood in it"}: nothing in it is asked.`,
      fix: isCode
        ? "If their prompts are lists in the code, proctor import reads them from Jest, Vitest and pytest files. docs/suites.md shows the formats that are read."
        : "docs/suites.md shows the formats that are read: give each prompt a label such as `should_trigger`. If these are not evals, turn the rule off.",
      location: { file: first },
    });
  });
}

/** The outermost folder of evals around a file, or its subfolder named after a skill. */
function evalFolderOf(file: string, names: Names): string | undefined {
  const place = pathInLibrary(dirname(file), names.library);
  const parts = place.split(sep);
  const at = parts.findIndex((part) => evalFolder.test(part));
  if (at === -1 || parts.some((part) => codeFolder.test(part))) return undefined;
  const skill = parts[at + 1];
  const isSkill = skill !== undefined && names.resolve(skill) !== undefined;
  const wanted = parts.slice(0, at + (isSkill ? 2 : 1)).join(sep);
  return dirname(file).slice(0, dirname(file).length - place.length) + wanted;
}
