import { useEffect } from "preact/hooks";
import { go, replace, route, to } from "../data/route.ts";

const KEYS: [string, string][] = [
  ["/", "search"],
  ["j  k", "next and previous entry of a list"],
  ["Enter", "open it"],
  ["n  p", "next and previous question, from the page of one"],
  ["Esc", "leave the search, or go up"],
  ["1 … 7", "the views, in their order"],
  ["?", "this help"],
];

/** Keyboard shortcuts; disabled while typing or holding a modifier. */
export function useKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]") !== null) return;
      const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
      if (event.key === "Escape") return leave(typing ? event.target : undefined);
      if (typing) return;
      const action = actions[event.key] ?? (/^[1-9]$/.test(event.key) ? () => openView(Number(event.key)) : undefined);
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

const actions: Record<string, () => void> = {
  "/": () => document.getElementById("search")?.focus(),
  j: () => step(1),
  k: () => step(-1),
  n: () => follow("next"),
  p: () => follow("prev"),
  "?": () => document.querySelector<HTMLDialogElement>("dialog.help")?.showModal(),
};

function openView(at: number): void {
  const link = document.querySelectorAll<HTMLAnchorElement>("header.top nav a")[at - 1];
  if (link !== undefined) go(link.getAttribute("href") ?? "");
}

/** Returns whether there is such a link. */
function follow(rel: string): boolean {
  const link = document.querySelector<HTMLAnchorElement>(`main a[rel=${rel}]`);
  if (link !== null) go(link.getAttribute("href") ?? "");
  return link !== null;
}

/** Focuses the next link of a list, or the first one in sight. */
function step(by: number): void {
  const all = [...document.querySelectorAll<HTMLElement>("main a.entry")];
  const now = all.indexOf(document.activeElement as HTMLElement);
  const inSight = all.findIndex((entry) => entry.getBoundingClientRect().top >= 60);
  const next = now < 0 ? all[Math.max(0, inSight)] : all[now + by];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

function leave(typing: HTMLElement | undefined): void {
  if (typing !== undefined) {
    if (typing instanceof HTMLInputElement && typing.value !== "") {
      typing.value = "";
      replace({ q: undefined });
    }
    typing.blur();
    return;
  }
  if (follow("up")) return;
  if (route.value.view !== "overview") go(to("overview"));
}

export function Help() {
  return (
    <dialog class="help" aria-labelledby="help-title">
      <form method="dialog">
        <h2 id="help-title">Keys</h2>
        <dl>
          {KEYS.map(([key, does]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
