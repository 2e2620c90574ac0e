import { useState } from "preact/hooks";
import { oneLine } from "./words.ts";

/** A command to type, with a button that copies it. What stands before it is said, not copied. */
export function Command({ line }: { line: string }) {
  const [copied, setCopied] = useState(false);
  const at = line.indexOf("proctor ");
  const [words, command] = at < 0 ? [line, ""] : [line.slice(0, at), line.slice(at)];
  const copy = async () => {
    await navigator.clipboard.writeText(command);
    setCopied(true);
  };
  return (
    <div class="command">
      {words.trim() !== "" && <p>{oneLine(words.replace(/:\s*$/, ""))}</p>}
      {command !== "" && (
        <div>
          <code>{oneLine(command)}</code>
          <button type="button" onClick={copy}>
            {copied ? "copied" : "copy"}
          </button>
        </div>
      )}
    </div>
  );
}
