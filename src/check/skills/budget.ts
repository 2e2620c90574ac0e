import { type Problem, problemsBy, type Rule } from "../../base/index.ts";
import type { AskedHosts, Host } from "../../hosts/index.ts";
import { grouped, hostOf, type Listing, listing, longestDescription, some } from "../../hosts/index.ts";
import type { Library } from "../../model/index.ts";
import { valueAt } from "../places.ts";

export const budgetRules = {
  "skill/listing-budget": { severity: "warning", title: "A host does not show every description" },
} as const satisfies Record<string, Rule>;

const problem = problemsBy(budgetRules);

/** Reports each host that would not show every description in full with the whole library installed. */
export function lintBudget(library: Library, { hosts }: AskedHosts): Problem[] {
  return hosts.flatMap((host) => {
    if (host.listing === undefined) return [];
    const models = host.listing.models ?? [undefined];
    const { bundled } = host.listing;
    const listings = models.map((model) => listing(library, host.id, { model, bundled }));
    const short = listings.filter((made) => lost(made).length > 0);
    const whole = listings.filter((made) => lost(made).length === 0);
    return short.length === 0 ? [] : [report(library, host, { short, whole })];
  });
}

/** Excludes descriptions cut for their own length, which are reported separately. */
function lost({ entries }: Listing) {
  return entries.filter(({ overBudget }) => overBudget);
}

/** `!`: something was lost, so there is a listing, and listed skills are in the library. */
function report(
  library: Library,
  host: Host,
  { short: listings, whole }: { short: Listing[]; whole: Listing[] },
): Problem {
  const title = [host.title, host.listing?.bundled?.version].filter((word) => word !== undefined).join(" ");
  const sentences = [
    ...listings.map((made, at) => `${at === 0 ? title : "It"} ${summary(made)}.`),
    ...whole.map((made) => `It shows all${on(made)} (${room(made)}).`),
  ];
  const worst = lost(listings[0]!);
  const first = library.skills.find(({ id }) => id === worst[0]!.skill)!;
  const kept = new Set(lost(listings.at(-1)!).map(({ skill }) => skill));
  const names = worst.map(({ skill }) => skill).sort((a, b) => Number(kept.has(b)) - Number(kept.has(a)));
  const which = worst.length === library.skills.length ? "" : ` Not shown whole: ${some(names, 12)}.`;
  return problem("skill/listing-budget", {
    message: `With all ${library.skills.length} skills installed, ${sentences.join(" ")}${which}`,
    fix: advice(library, listings[0]!),
    location: valueAt(first, "description"),
  });
}

function summary(made: Listing): string {
  const { entries } = made;
  const off = lost(made);
  const listed = entries.filter(({ shown }) => shown !== "absent").length;
  const cut = off.filter(({ shown }) => shown === "cut");
  if (cut.length > 0)
    return `cuts ${cut.length} of ${listed} descriptions to ${Math.max(...cut.map(({ characters }) => characters))} characters${on(made)} (${size(made)})`;
  return `shows the descriptions of ${listed - off.length} of ${listed}${on(made)} and only the names of the others (${size(made)})`;
}

function on({ host, model }: Listing): string {
  return hostOf(host).listing?.models === undefined ? "" : ` on ${model}`;
}

function size(made: Listing): string {
  const { bundled } = hostOf(made.host).listing ?? {};
  const own =
    bundled === undefined ? "" : `; its own ${bundled.names.length} skills take ${grouped(bundled.characters)} of them`;
  return `${room(made)}${own}`;
}

function room({ budget }: Listing): string {
  return `${grouped(budget.characters ?? 0)} characters, ${budget.how}`;
}

function advice(library: Library, { host, model }: Listing): string {
  const longest = longestDescription(library, host, { model, bundled: hostOf(host).listing?.bundled }) ?? 0;
  return longest < 40
    ? "Split the library into plugins that are installed separately."
    : `Keep every description to at most ${longest} characters, or split the library into plugins that are installed separately.`;
}
