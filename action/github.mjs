// What the scripts of the action share. Plain Node, without packages: nothing is installed before they run.
import { appendFileSync, readFileSync } from "node:fs";

/** A value for later steps. */
export function setOutput(name, value) {
  const file = process.env.GITHUB_OUTPUT;
  if (file) appendFileSync(file, `${name}=${String(value).replace(/[\r\n]/g, " ")}\n`);
}

export function addSummary(text) {
  const file = process.env.GITHUB_STEP_SUMMARY;
  if (file) appendFileSync(file, `${text}\n`);
}

/** A notice in the log and on the pull request. */
export function warn(message) {
  console.log(
    `::warning title=proctor::${message.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A")}`,
  );
}

/** The event that started the workflow; empty outside of GitHub. */
export function event() {
  try {
    return JSON.parse(readFileSync(process.env.GITHUB_EVENT_PATH ?? "", "utf8"));
  } catch {
    return {};
  }
}

/** The lines of an input that say something. */
export function lines(name) {
  return (process.env[name] ?? "")
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
