import type { PageTranscript } from "../../../../src/reporters/html/page-data.ts";
import { count, oneLine } from "../../parts/words.ts";
import { Diff, linesText } from "./diff.tsx";
import { Text } from "./text.tsx";

const CHANGES: Record<string, string> = { added: "created", changed: "changed", removed: "deleted" };

/** Changed files of the workspace: a diff if the record has the earlier content, otherwise the final content. */
export function Files({ transcript: { files, filesCut } }: { transcript: PageTranscript }) {
  return (
    <section class="files" aria-labelledby="files">
      <h2 id="files">Files it changed</h2>
      <ul>
        {files.map(({ path, change, kind, bytes, text, diff }) => (
          <li key={path} class={change}>
            <p>
              <span class="flag">{CHANGES[change] ?? change}</span> <code>{oneLine(path)}</code>{" "}
              <span class="quiet">
                {kind === "file" ? "" : kind} {bytes === undefined ? "" : count(bytes, "byte")}
                {diff !== undefined && ` ${linesText(diff)}`}
                {change === "changed" &&
                  diff === undefined &&
                  " as it was left; what it held before is not in the record"}
              </span>
            </p>
            {diff !== undefined && <Diff diff={diff} path={path} />}
            {text !== undefined && text.text !== "" && <Text text={text} code />}
          </li>
        ))}
      </ul>
      {filesCut !== undefined && <p class="quiet">{oneLine(filesCut)}</p>}
    </section>
  );
}
