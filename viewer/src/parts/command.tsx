import { Copy } from "./copy.tsx";
import { oneLine } from "./words.ts";

/** A command to type, with a button that copies it. What stands before it is said, not copied. */
export function Command({ line }: { line: string }) {
  const at = line.indexOf("proctor ");
  const [words, command] = at < 0 ? [line, ""] : [line.slice(0, at), line.slice(at)];
  return (
    <div class="command">
      {words.trim() !== "" && <p>{oneLine(words.replace(/:\s*$/, ""))}</p>}
      {command !== "" && (
        <div>
          <code>{oneLine(command)}</code>
          <Copy text={command} what="the command" />
        </div>
      )}
    </div>
  );
}
