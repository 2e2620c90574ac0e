import { Copy } from "./copy.tsx";
import { oneLine } from "./words.ts";

/** A command with a button that copies it, without the text before it or in brackets after it. */
export function Command({ line }: { line: string }) {
  const at = line.indexOf("proctor ");
  const [words, rest] = at < 0 ? [line, ""] : [line.slice(0, at), line.slice(at)];
  const [, command = rest, what = ""] = /^(.*\S)\s{2,}\(([^()]+)\)\s*$/s.exec(rest) ?? [];
  return (
    <div class="command">
      {words.trim() !== "" && <p>{oneLine(words.replace(/:\s*$/, ""))}</p>}
      {command !== "" && (
        <div>
          <code>{oneLine(command)}</code>
          <Copy text={command} what="the command" />
        </div>
      )}
      {what !== "" && <p class="quiet">{oneLine(what)}</p>}
    </div>
  );
}
