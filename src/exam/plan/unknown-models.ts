import { agentHosts, unknownModelText } from "../../hosts/index.ts";
import type { Exam } from "./exam.ts";

/** Models of agents that nobody here knows: they are asked all the same, for there are new ones every day. */
export function unknownModels({ targets }: Pick<Exam, "targets">): string[] {
  return targets.flatMap(({ target: { id } }) => {
    const [agent, model] = [id.slice(0, id.indexOf(":")), id.slice(id.indexOf(":") + 1)];
    const host = agentHosts.find((one) => one.agent.id === agent);
    return host?.listing?.knowsModel?.(model) === false ? [unknownModelText(host.title, model)] : [];
  });
}
