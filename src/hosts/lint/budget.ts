import type { Problem } from "../../base/index.ts";
import { grouped } from "../card.ts";
import { type HostId, hostLabels } from "../host.ts";
import { claudeCodeModels } from "../claude/listing.ts";
import { type Listing, listing, longestDescription } from "../listing.ts";
import { problem } from "../../skills/rules.ts";
import type { Library } from "../../skills/skill.ts";
import { type Profiles, some, valueAt } from "./lint.ts";

/** Which descriptions a host does not show, or not whole, when the whole library is installed: one problem for each host. */
export function lintBudget(library: Library, profiles: Profiles): Problem[] {
  const problems: Problem[] = [];
  const add = (host: HostId, listings: Listing[]) => {
    const short = listings.filter((made) => lost(made).length > 0);
    const whole = listings.filter((made) => lost(made).length === 0);
    if (profiles.hosts.has(host) && short.length > 0) problems.push(report(library, host, short, whole));
  };
  add("claude-code", [
    listing(library, "claude-code", { model: claudeCodeModels["200k"] }),
    listing(library, "claude-code", { model: claudeCodeModels["1M"] }),
  ]);
  add("codex", [listing(library, "codex")]);
  add("copilot", [listing(library, "copilot")]);
  return problems;
}

/** What one description's own length took is told with that description. */
function lost({ entries }: Listing) {
  return entries.filter(({ overBudget }) => overBudget);
}

function report(library: Library, host: HostId, listings: Listing[], whole: Listing[]): Problem {
  const sentences = [
    ...listings.map((made) => `${hostLabels[host]} ${summary(made)}.`),
    ...whole.map((made) => `It shows all${on(made)} (${size(made)}).`),
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
  return host === "claude-code" ? ` on ${model}` : "";
}

function size({ budget }: Listing): string {
  return `${grouped(budget.characters ?? 0)} characters, ${budget.how}`;
}

function advice(library: Library, { host, model }: Listing): string {
  const longest = longestDescription(library, host, { model }) ?? 0;
  return longest < 40
    ? "Split the library into plugins that are installed apart."
    : `Let no description be longer than ${longest} characters, or split the library into plugins that are installed apart.`;
}
