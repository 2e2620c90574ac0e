import fc from "fast-check";
import { expect, test } from "vitest";
import { type StagedSkill, StagedSkills } from "../../../src/hosts/reading/staged-skills.ts";

const names = ["alpha", "alpha-extended", "beta"];
const staged = new StagedSkills(
  "/ws",
  names.map((name) => skill(name)),
);

test.each([
  ["cat .agents/skills/alpha/SKILL.md", ["alpha"]],
  ["/bin/bash -lc 'cat .agents/skills/alpha/SKILL.md'", ["alpha"]],
  ['bash -c "sed -n 1,40p \\".agents/skills/beta/SKILL.md\\""', ["beta"]],
  ["cat /ws/.agents/skills/alpha-extended/SKILL.md | head -5", ["alpha-extended"]],
  ["cd .agents/skills/alpha && cat SKILL.md", ["alpha"]],
  ["cd .agents/skills; cd beta; head SKILL.md", ["beta"]],
  ["cat .agents/skills/*/SKILL.md", names],
  ["cat .agents/skills/{alpha,beta}/SKILL.md", ["alpha", "beta"]],
  ["cat .agents/skills/?eta/[A-Z]KILL.md", ["beta"]],
  ["cat '.agents/skills/*/SKILL.md'", []],
  [`cat .agents/skills/${"*a".repeat(40)}*b/SKILL.md`, []],
  ["cat < .agents/skills/beta/SKILL.md", ["beta"]],
  ["FOO=1 timeout 5 cat .agents/skills/beta/SKILL.md", ["beta"]],
  ["cat .agents/skills/alpha/SKILL.md .agents/skills/beta/SKILL.md", ["alpha", "beta"]],
  ["ls .agents/skills/alpha/SKILL.md", []],
  ["wc -l .agents/skills/alpha/SKILL.md", []],
  ["echo .agents/skills/alpha/SKILL.md", []],
  ["cat .agents/skills/alpha/references/steps.md", []],
  ["cat nowhere/alpha/SKILL.md", []],
  ["cat SKILL.md", []],
  ["if [ -f .agents/skills/alpha/SKILL.md ]; then echo yes; fi", []],
  ["if true; then cat .agents/skills/alpha/SKILL.md; fi", ["alpha"]],
  ['for f in .agents/skills/*/SKILL.md; do echo "$f"; done', []],
  ["grep -l Charts .agents/skills/*/SKILL.md", []],
  ["cat sales.csv # not .agents/skills/alpha/SKILL.md", []],
  ["cat sales.csv > .agents/skills/alpha/SKILL.md 2>&1", []],
  ["echo hi | tee .agents/skills/alpha/SKILL.md", []],
  ['D=.agents/skills/alpha; sed -n 1,50p "$D/SKILL.md"', ["alpha"]],
  ['head -60 "$PWD/.agents/skills/beta/SKILL.md"', ["beta"]],
  ["cat '.agents/skills/alpha", []],
  // What it writes down is not what it runs.
  ["cat > run.sh <<'EOF'\ncat .agents/skills/alpha/SKILL.md\nEOF", []],
  ["cat <<EOF\nsee .agents/skills/alpha/SKILL.md\nEOF\ncat .agents/skills/beta/SKILL.md", ["beta"]],
  ["bash <<'EOF'\ncd .agents/skills\ncat alpha/SKILL.md\nEOF", ["alpha"]],
  ['bash <<< "cat .agents/skills/beta/SKILL.md"', ["beta"]],
  ["for s in alpha beta; do cat .agents/skills/$s/SKILL.md; done", ["alpha", "beta"]],
  ['for f in .agents/skills/alpha*/SKILL.md; do cat "$f"; done', ["alpha", "alpha-extended"]],
  [`FILES="alpha beta"; for s in $FILES; do head -5 ".agents/skills/\${s}/SKILL.md"; done`, ["alpha", "beta"]],
  ["cat .agents/skills/{alpha,beta}/SKILL.md", ["alpha", "beta"]],
  ["cat .agents/skills/alpha{,-extended}/SKILL.md", ["alpha", "alpha-extended"]],
  ["(cd .agents/skills/alpha && cat SKILL.md)", ["alpha"]],
  ["(cd .agents/skills/alpha); cat SKILL.md", []],
  ["cd .agents/skills/alpha | cat SKILL.md", []],
  ['echo "$(cat .agents/skills/alpha/SKILL.md)"', ["alpha"]],
  ["echo `cat .agents/skills/beta/SKILL.md`", ["beta"]],
  ['cat "$(pwd)/.agents/skills/alpha/SKILL.md"', ["alpha"]],
  ["diff <(cat .agents/skills/alpha/SKILL.md) notes.md", ["alpha"]],
  ['while read -r line; do echo "$line"; done < .agents/skills/beta/SKILL.md', ["beta"]],
  ["case $1 in a) cat .agents/skills/alpha/SKILL.md;; *) ls;; esac", ["alpha"]],
  ['show() { sed -n 1,99p ".agents/skills/$1/SKILL.md"; }; show beta', ["beta"]],
  ["show() { cat .agents/skills/alpha/SKILL.md; }", []],
  ["[[ -f .agents/skills/alpha/SKILL.md ]] && cat .agents/skills/beta/SKILL.md", ["beta"]],
  ["test -f .agents/skills/alpha/SKILL.md || cat .agents/skills/beta/SKILL.md", ["beta"]],
  [`cat \${DIR:-.agents/skills/alpha}/SKILL.md`, ["alpha"]],
  ["export D=.agents/skills/beta && cat $D/SKILL.md", ["beta"]],
  ["bash -c 'cat \"$1\"' _ .agents/skills/alpha/SKILL.md", ["alpha"]],
  ["eval 'cat .agents/skills/beta/SKILL.md'", ["beta"]],
  ["cat .agents/skills/alpha/SKILL.md 2>/dev/null", ["alpha"]],
  ["cat $'.agents/skills/beta/SKILL.md'", ["beta"]],
  ["cat .agents/skills/[ab]*/SKILL.md", names],
  ["cat '.agents/skills/*/SKILL.md'", []],
  ["cat .agents/skills/alpha\\ /SKILL.md", []],
  ["", []],
])("%s opens %j", (command, opened) => {
  expect(staged.byCommand(command).map(({ id }) => id)).toEqual(opened);
});

test("no command makes it throw, nor takes it long", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom(
          "cat",
          " ",
          "'",
          '"',
          "$(",
          ")",
          "`",
          "{a,b}",
          "<<EOF\n",
          "for x in ",
          "; do ",
          "done",
          "\\",
          "((",
          "${x:-",
          "}",
          "*",
          "é",
        ),
      ),
      (parts) => {
        staged.byCommand(parts.join(""));
      },
    ),
  );
  expect(staged.byCommand(`cat ${"{a,b}".repeat(30)}`)).toEqual([]);
  expect(staged.byCommand(`${"$(".repeat(5_000)}cat x`)).toEqual([]);
});

const shared = "Every step of this is done in the order in which it is written down here.";
const library = new StagedSkills("/ws", [
  {
    ...skill("pdf"),
    body: `${shared}\nOpen the document with the reader.\nTake the text out of every page.\nWrite it into one file per chapter.\n`,
  },
  {
    ...skill("pdf-forms"),
    body: `${shared}\nOpen the document with the reader.\nTake the text out of every page.\nWrite it into one file per chapter.\nFill the fields.\nAsk for each field that is empty.\nSign the last page, never the first one.\n`,
  },
  { ...skill("short"), body: "Say hello.\n" },
  { ...skill("empty"), body: "" },
]);
const at = (name: string) => `.agents/skills/${name}/SKILL.md`;
const file = (name: string) =>
  `---\nname: ${name}\ndescription: What ${name} does.\n---\n\n${library.byName(name)!.body}`;
const numbered = (text: string) => text.replace(/^/gm, () => "     7\t");

test.each<[why: string, command: string, ok: boolean, output: string | undefined, reached: string[]]>([
  ["it was printed", `cat ${at("pdf")}`, true, file("pdf"), ["pdf read"]],
  [
    "its body holds another's, which was not opened",
    `cat ${at("pdf-forms")}`,
    true,
    file("pdf-forms"),
    ["pdf-forms read"],
  ],
  ["it was printed with numbers", `nl -ba x | tail -n +1`, true, numbered(file("pdf-forms")), ["pdf-forms read"]],
  ["a later command failed", `sed -n '1,120p' ${at("pdf")}; grep nothing sales.csv`, false, file("pdf"), ["pdf read"]],
  ["a program printed it", "python3 -c 'print(open(p).read())'", true, file("pdf"), ["pdf read"]],
  [
    "a loop printed all",
    `for s in a b; do head -60 .agents/skills/$s/SKILL.md; done`,
    true,
    file("pdf") + file("short"),
    ["pdf read", "short read"],
  ],
  ["a short one, by its path", `tail -1 ${at("short")}`, true, "Say hello.\n", ["short read"]],
  ["a short one's words, from elsewhere", "cat notes.txt", true, "Say hello.\n", []],
  ["the branch was not taken", `true || cat ${at("pdf")}`, true, "", []],
  ["it went into a file", `cat ${at("pdf")} > copy.md`, true, "", []],
  ["it was counted", `cat ${at("pdf")} | wc -l`, true, "9\n", []],
  [
    "it was changed on its way",
    `cat ${at("pdf")} | sed 's/^/> /'`,
    true,
    file("pdf").replace(/^/gm, "> "),
    ["pdf read"],
  ],
  [
    "only names and cards were printed",
    "head -4 .agents/skills/*/SKILL.md",
    true,
    "---\nname: pdf\ndescription: What pdf does.\n---\n",
    [],
  ],
  ["without a body, by its path", `cat ${at("empty")}`, true, file("empty"), ["empty read"]],
  ["without a body, among others", "head -4 .agents/skills/*/SKILL.md", true, file("empty"), []],
  [
    "a search showed a line",
    "grep -rn reader .agents",
    true,
    `${at("pdf")}:8:Open the document with the reader.\n`,
    [],
  ],
  ["the file could not be opened", `cat ${at("pdf")}`, false, "cat: permission denied", ["pdf refused"]],
  ["a search found nothing", `grep nothing ${at("pdf")}`, false, "", []],
  ["what it printed is not known", `cat ${at("pdf")}`, true, undefined, ["pdf read"]],
])("%s: %s", (_, command, ok, output, reached) => {
  expect(
    library.byShell(command, { ok, output }).map(({ skill, shown }) => `${skill.id} ${shown ? "read" : "refused"}`),
  ).toEqual(reached);
});

test("names are equal or they are not", () => {
  expect(
    ["alpha", "/alpha", "alpha-extended", "shop:beta", "Alpha", "alp", "alpha ", "", 7].map(
      (name) => staged.byName(name)?.id,
    ),
  ).toEqual(["alpha", "alpha", "alpha-extended", "beta", undefined, undefined, "alpha", undefined, undefined]);
});

test("a body that stands whole in an output was read, a part of it was not", () => {
  const [alpha] = staged.skills;
  expect(staged.byText(`---\nname: alpha\n---\n${alpha!.body}`).map(({ id }) => id)).toEqual(["alpha"]);
  expect(staged.byText(alpha!.body.slice(0, 20))).toEqual([]);
});

test("a listing tells whole from cut, bare and absent", () => {
  const texts: Record<string, string | undefined> = {
    alpha: "What alpha does, at length.",
    "alpha-extended": "What alpha-ext…",
  };
  const listing = staged.listing((one) => (one.id in texts ? { text: texts[one.id] } : undefined));
  expect(listing.map(({ shown }) => shown)).toEqual(["whole", "cut", "absent"]);
  expect(staged.listing(() => ({ text: undefined })).map(({ shown }) => shown)).toEqual(["bare", "bare", "bare"]);
});

function skill(name: string): StagedSkill {
  const dir = `/ws/.agents/skills/${name}`;
  return {
    id: name,
    folder: name,
    name,
    plugin: "shop",
    dir,
    file: `${dir}/SKILL.md`,
    description: `What ${name} does, at length.`,
    body: `# ${name}\n\nThe body of ${name}.`,
  };
}
