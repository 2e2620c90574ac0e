import { count, VERSION } from "../../base/index.ts";
import type { FleetView } from "../../fleet/index.ts";

/** Who is at a Redis, for a person. */
export function fleetText({ place, server, evicts, persists, workers, runs, unsigned }: FleetView): string {
  const slots = workers.reduce((sum, worker) => sum + worker.slots, 0);
  const width = Math.max(0, ...workers.map(({ name }) => name.length));
  const lines = [
    `${place}   ${server}   ${count(workers.length, "worker")}, ${count(slots, "trial")} at once   ${count(runs, "run")} under way`,
    ...(evicts === undefined
      ? []
      : [
          `warning   it drops keys when its memory is full (maxmemory-policy ${evicts}), and trials with them: set noeviction`,
        ]),
    ...(persists === false
      ? ["note      it keeps nothing on disk (appendonly no): after a restart, runs hand out what was lost again"]
      : []),
    ...(unsigned === 0
      ? []
      : [
          `warning   ${unsigned} of its workers and runs are not signed with this PROCTOR_FLEET_KEY: other keys are in use here`,
        ]),
    "",
    ...workers.map(({ name, version, slots: places, running, can }) => {
      const other = version === VERSION ? "" : `   proctor ${version}: refused by runs of ${VERSION}`;
      return `${name.padEnd(width)}   ${running}/${places} busy   ${canText(can)}${other}`;
    }),
    ...(workers.length > 0
      ? []
      : [unsigned > 0 ? "next: set the PROCTOR_FLEET_KEY that they use" : `next: proctor worker ${place}`]),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

function canText({ agents, keys, sandbox, only }: FleetView["workers"][number]["can"]): string {
  const able = agents.map(
    ({ id, version, ready }) =>
      `${id} ${version ?? "?"}${ready === "no" ? " (not ready)" : ready === "login" ? " (--use-login)" : ""}`,
  );
  return [
    able.length === 0 ? "no agent CLI" : able.join(", "),
    keys.length === 0 ? "no model key" : keys.join(", "),
    sandbox === undefined ? "no sandbox" : `sandbox ${sandbox}`,
    ...(only === undefined ? [] : [`takes ${only.join(", ")} only`]),
  ].join("   ");
}
