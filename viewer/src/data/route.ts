import { computed, signal } from "@preact/signals";

/** The page's whole state is in the address, so that views can be linked and the back button works. */
export interface Route {
  view: string;
  /** The skill, question or trial that the view shows. */
  about: string;
  params: URLSearchParams;
}

export const route = signal<Route>(parse(location.hash));

addEventListener("hashchange", () => {
  const before = route.value;
  route.value = parse(location.hash);
  // Another view starts at its top; another filter of the same view stays where it is.
  if (before.view !== route.value.view || before.about !== route.value.about) scrollTo(0, 0);
});

function parse(hash: string): Route {
  const [path = "", query = ""] = splitOnce(hash.replace(/^#\/?/, ""), "?");
  const [view = "", about = ""] = splitOnce(path, "/");
  return { view: view === "" ? "overview" : view, about: decoded(about), params: new URLSearchParams(query) };
}

function splitOnce(text: string, at: string): [string, string] {
  const place = text.indexOf(at);
  return place < 0 ? [text, ""] : [text.slice(0, place), text.slice(place + 1)];
}

/** A mistyped address must not fail. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Parameters kept from view to view. Links depend on these alone, so other changes of the address do not redraw them.
 */
const kept = computed(() => {
  const query = new URLSearchParams();
  for (const name of ["run", "target"]) {
    const value = route.value.params.get(name);
    if (value !== null) query.set(name, value);
  }
  return query.toString();
});

export type Params = Record<string, string | undefined>;

/** The address of a view. Keeps the current run and target unless `params` change them. */
export function to(view: string, about = "", params: Params = {}): string {
  return address(view, about, new URLSearchParams(kept.value), params);
}

export function here(params: Params): string {
  const { view, about, params: now } = route.value;
  return address(view, about, new URLSearchParams(now), params);
}

/** Changes the address without a history entry, for text that is typed letter by letter. */
export function replace(params: Params): void {
  history.replaceState(null, "", here(params));
  route.value = parse(location.hash);
}

export function go(address: string): void {
  location.hash = address;
}

function address(view: string, about: string, query: URLSearchParams, params: Params): string {
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined || value === "") query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  return `#/${view === "overview" ? "" : view}${about === "" ? "" : `/${encodeURIComponent(about)}`}${text === "" ? "" : `?${text}`}`;
}

export function param(name: string): string {
  return route.value.params.get(name) ?? "";
}
