import { Command } from "commander";
import { count, printable, UsageError, VERSION } from "../../base/index.ts";
import type { FleetView } from "../../fleet/index.ts";
import { examples } from "../flags/help.ts";
import { addOptions } from "../flags/options.ts";
import { print, readerGone } from "../printing/print.ts";

interface WorkerFlags {
  jobs?: number;
  targets: string[];
  drain?: boolean;
  name?: string;
  json?: boolean;
}

export function workerCommand(): Command {
  const command = new Command("worker")
    .description(
      "Run trials for runs on other machines: take what this machine can do from this Redis, and send the results back.",
    )
    .argument("[url]", "redis://HOST, or rediss://:PASSWORD@HOST:PORT for TLS; PROCTOR_WORKERS unless given");
  return addOptions(command, "worker")
    .addHelpText(
      "after",
      examples(
        [
          ["proctor worker redis://build-1 --jobs 4", "trials for runs elsewhere, four at once"],
          ["proctor worker --drain", "until no run needs it"],
        ],
        "fleet.md",
      ),
    )
    .action(async (given: string | undefined, flags: WorkerFlags) => {
      const url = given ?? process.env["PROCTOR_WORKERS"];
      if (!url)
        throw new UsageError(
          "There is no Redis to take trials from.",
          "Give its address, redis://HOST, or set PROCTOR_WORKERS.",
        );
      const { worker } = await import("../../verbs/index.ts");
      const { interruptsOfRun } = await import("./signals.ts");
      const signals = interruptsOfRun();
      const { jobs = 8, name, drain, json } = flags;
      const say = (text: string) =>
        print(json ? `${JSON.stringify({ type: "notice", text })}\n` : `${printable(text)}\n`);
      signals.onFirst = () =>
        say("Stopping once its trials are done. Press Ctrl-C again to hand them back to other workers.");
      signals.listen({ gently: true });
      const trials = await worker({
        url,
        jobs,
        name,
        drain,
        targets: flags.targets.length > 0 ? flags.targets : undefined,
        signal: AbortSignal.any([signals.finish, readerGone]),
        stop: signals.stop,
        on(event) {
          if (event.type === "ready")
            say(
              `proctor ${VERSION}: worker ${event.name} at ${event.place}, ${count(jobs, "trial")} at once. ${ableText(event.can)}`,
            );
          if (event.type === "notice") say(event.text);
        },
      }).finally(() => signals.forget());
      say(`Worker ended after ${count(trials, "trial")}.`);
    });
}

type Able = FleetView["workers"][number]["can"];

function ableText({ agents, keys, sandbox }: Able): string {
  const ready = agents.map(
    ({ id, version, ready: state }) =>
      `${id} ${version ?? ""}${state === "yes" ? "" : state === "login" ? " (with --use-login)" : " (not ready)"}`,
  );
  return [
    ready.length === 0 ? "No agent CLIs here" : `Agents: ${ready.join(", ")}`,
    keys.length === 0 ? "no model provider's key is set" : `keys: ${keys.join(", ")}`,
    `sandbox: ${sandbox ?? "none"}.`,
  ].join("; ");
}
