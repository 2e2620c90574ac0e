// One comment on the pull request: made once, edited afterwards. A token that may not write is no failure.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { addSummary, event, warn } from "./github.mjs";

const api = process.env.GITHUB_API_URL ?? "https://api.github.com";
const repository = process.env.GITHUB_REPOSITORY ?? "";
const token = process.env.PROCTOR_ACTION_TOKEN ?? "";
const number = event().pull_request?.number;
/** Two workflows of one repository have a comment each. */
const marker = `<!-- proctor ${(process.env.GITHUB_WORKFLOW ?? "").replace(/[^\w .-]/g, "")} -->`;
const MOST_PAGES = 20;
const MOST_CHARACTERS = 65_536;

if (Number.isSafeInteger(number) && /^[\w.-]+\/[\w.-]+$/.test(repository)) await comment().catch(explain);
else warn("There is no pull request to comment on.");

async function comment() {
  const body = `${readFileSync(join(process.env.PROCTOR_ACTION_REPORTS ?? ".", "comment.md"), "utf8").slice(0, MOST_CHARACTERS - marker.length - 2)}\n${marker}`;
  const own = await ownComment();
  if (own === undefined) await call("POST", `/repos/${repository}/issues/${number}/comments`, { body });
  else await call("PATCH", `/repos/${repository}/issues/comments/${own.id}`, { body });
  console.log(own === undefined ? "Commented on the pull request." : "Edited the comment on the pull request.");
}

/** Ours is by us: anybody can write the marker into a comment, and it would be theirs that is edited. */
async function ownComment() {
  const me = await call("GET", "/user").then(
    ({ login }) => login,
    () => "github-actions[bot]",
  );
  for (let page = 1; page <= MOST_PAGES; page++) {
    const found = await call("GET", `/repos/${repository}/issues/${number}/comments?per_page=100&page=${page}`);
    const own = found.find(({ body, user }) => user?.login === me && body?.includes(marker));
    if (own !== undefined || found.length < 100) return own;
  }
  return undefined;
}

async function call(method, path, body) {
  const headers = {
    authorization: `Bearer ${token}`,
    accept: "application/vnd.github+json",
    "x-github-api-version": "2022-11-28",
    "user-agent": "proctor",
  };
  const response = await fetch(`${api}${path}`, {
    method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  if (!response.ok)
    throw Object.assign(new Error(`${method} ${path} answers ${response.status}`), { status: response.status });
  return response.json();
}

function explain(error) {
  const why =
    error.status === 403 || error.status === 404
      ? "the token may not write here, as for pull requests from forks"
      : error.message;
  warn(`The pull request was not commented on: ${why}. The summary of the job has the report.`);
  addSummary("_The pull request was not commented on: the token may not write there._");
}
