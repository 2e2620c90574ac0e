import { useState } from "preact/hooks";

/** A button that copies the original text, not the text as shown. */
export function Copy({ text, what }: { text: string; what: string }) {
  const [state, setState] = useState<"copy" | "copied" | "not allowed">("copy");
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setState("copied"),
      () => setState("not allowed"),
    );
  return (
    <button type="button" class="copy" onClick={copy}>
      {state}
      <span class="unseen"> {what}</span>
    </button>
  );
}
