import { agentHosts, hostOf, type Listing, listing, unknownModelText } from "../../hosts/index.ts";
import type { Exam } from "./exam.ts";

export function noticesOf(exam: Exam): string[] {
  return [...unknownModels(exam), ...shownInTrialsOnly(exam)];
}

function unknownModels({ targets }: Pick<Exam, "targets">): string[] {
  return targets.flatMap(({ target: { id } }) => {
    const [agent, model] = [id.slice(0, id.indexOf(":")), id.slice(id.indexOf(":") + 1)];
    const host = agentHosts.find((one) => one.agent.id === agent);
    return host?.listing?.knowsModel?.(model) === false ? [unknownModelText(host.title, model)] : [];
  });
}

/**
 * Reports targets whose trials show the model more descriptions than users will see, because trials leave out the
 * host's own skills.
 */
export function shownInTrialsOnly({
  library,
  targets,
  options,
}: Pick<Exam, "library" | "targets" | "options">): string[] {
  if (options.agentOptions?.["realistic"] === true) return [];
  return targets.flatMap(({ target, identity }) => {
    const [id, model] = [target.id.slice(0, target.id.indexOf(":")), target.id.slice(target.id.indexOf(":") + 1)];
    const host = agentHosts.find(({ agent }) => agent.id === id);
    const bundled = host?.listing?.bundled;
    if (host === undefined || bundled === undefined) return [];
    const made = { model, version: identity.version };
    const [here, there] = [
      wholeOf(listing(library, host.id, made)),
      wholeOf(listing(library, host.id, { ...made, bundled })),
    ];
    if (there >= here) return [];
    const { title } = hostOf(host.id);
    return [
      `In trials ${target.id} sees the descriptions of ${here} of ${library.skills.length} skills, but your users' ${title} sees those of ${there}, because its own skills (${bundled.names.length}${bundled.version === undefined ? "" : ` in ${bundled.version}`}) share the room. --realistic examines that; proctor see ${id} --model ${model} shows it.`,
    ];
  });
}

function wholeOf({ entries }: Listing): number {
  return entries.filter(({ shown }) => shown === "whole" || shown === "cut").length;
}
