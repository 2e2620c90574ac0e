import { expect, test } from "vitest";
import { allOptions, type Option, variableOf } from "../../src/base/options/index.ts";
import { reporterNames } from "../../src/reporters/index.ts";

const WHEN_RESUMED = {
  exam: "stays",
  reading: "stays; `proctor report` takes another",
  conduct: "may change",
  start: "",
  command: "",
};

test("docs/configuration.md lists every option of the table (vitest -u writes it)", async () => {
  const reporters = reporterNames().join(", ");
  const rows = allOptions
    .filter(({ flag, config }) => flag !== undefined || config !== undefined)
    .map((option) => row(option).replace("{reporters}", reporters));
  const page = `# Options

Every option of \`proctor run\`, \`report\` and \`check\`, with all the ways to set it. A flag beats a variable, a variable beats the configuration, and the
configuration beats the default. Gates are the exception: those of the command line are added to those of the configuration.

- **Configuration**: the nearest \`proctor.config.{ts,js,mjs,yaml,yml,json}\` from the working directory up to the root of the repository, or the file named with
  \`--config\` ([an example](run.md#configuration)). \`schemas/config.schema.json\` gives completion in editors.
- **Variables**: a list is separated with commas, and yes or no is \`true\` or \`false\`.
- **Code**: \`run()\` takes the options by the names in the first column ([from code](run.md#from-code)).
- **\`--resume\`** continues a run. An option that **stays** is part of what the run is: another value is refused, and both values are named. One that **may change** only says how the
  run is carried out.

| option | what it does | flag | configuration | variable | default | on \`--resume\` |
|---|---|---|---|---|---|---|
${rows.join("\n")}

Keys of the configuration that hold more than a flag could say:

| key | holds |
|---|---|
| \`libraries\` | splits what is found from the root into libraries: a name and the folders that belong to it |
| \`targets\` | besides names: settings per target, such as \`endpoint\`, \`env\`, \`options\`, \`concurrency\`, \`timeout_seconds\`, \`cost_usd\` |
| \`rules\` | levels of \`proctor check\`'s rules, by code ([check](check.md)) |
| \`providers\`, \`prices\` | where models are and what they cost ([models](models.md)) |
`;
  await expect(page).toMatchFileSnapshot("../../docs/configuration.md");
});

function row(option: Option): string {
  const { name, about, flag, config, default: usual, role } = option;
  const value = usual === undefined || Array.isArray(usual) ? "" : String(usual);
  const cells = [
    name,
    about.replaceAll("|", "\\|"),
    code(flag),
    code(config),
    code(variableOf(option)),
    value,
    WHEN_RESUMED[role],
  ];
  return `| ${cells.join(" | ")} |`.replace(/ {2,}/g, " ");
}

function code(text: string | undefined): string {
  return text === undefined ? "" : `\`${text}\``;
}
