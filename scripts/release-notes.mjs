// The section of CHANGELOG.md for a tag, on standard output; fails where tag, package and changelog disagree.
import { readFileSync } from "node:fs";

const version = (process.argv[2] ?? "").replace(/^v/, "");
const { version: packaged, repository } = JSON.parse(readFileSync("package.json", "utf8"));
if (version !== packaged) throw new Error(`The tag is ${version}, package.json says ${packaged}`);
// People copy the name of the repository out of docs/ci.md: it must be the one that is released from.
const released = process.env.GITHUB_REPOSITORY;
const named = /github\.com\/(.+?)\.git$/.exec(repository.url)?.[1];
if (released !== undefined && released !== named)
  throw new Error(`This is ${released}, package.json says ${named}: correct it and docs/ci.md before a release`);
const section = readFileSync("CHANGELOG.md", "utf8")
  .split(/^## /m)
  .find((part) => part.startsWith(`${version} `) || part.startsWith(`${version}\n`));
if (section === undefined) throw new Error(`CHANGELOG.md has no section ${version}`);
console.log(section.slice(section.indexOf("\n") + 1).trim());
