import { spawn } from "node:child_process";

/** Opens a URL in the browser. Without a terminal or a browser, the printed URL must do. */
export function showPage(url: string): void {
  if (!process.stdout.isTTY) return;
  const [command, ...args] = openerOf(process.platform);
  if (command === undefined) return;
  const child = spawn(command, [...args, url], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}

function openerOf(platform: NodeJS.Platform): string[] {
  const own = process.env["BROWSER"];
  if (own !== undefined && own !== "") return [own];
  if (platform === "darwin") return ["open"];
  // `start` takes its first quoted argument for a title.
  return platform === "win32" ? ["cmd", "/c", "start", ""] : ["xdg-open"];
}

export function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
}
