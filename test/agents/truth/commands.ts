interface Reading {
  command: string;
  fires: string[];
}

/** Ways of reading a skill's file with a shell. */
export function readings(skills: string): Reading[] {
  const file = `${skills}/alpha/SKILL.md`;
  const beta = `${skills}/beta/SKILL.md`;
  const alone = [
    `cat ${file}`,
    `cat -n ${file}`,
    `cat -A ${file}`,
    `head -50 ${file}`,
    `head -c 2000 ${file}`,
    `tail -n +1 ${file}`,
    `tail -n 3 ${file}`,
    `sed -n 1,200p ${file}`,
    `sed -e 1,4d ${file}`,
    `awk '{print}' ${file}`,
    `awk '{print NR": "$0}' ${file}`,
    `nl -ba ${file}`,
    `cut -c1-500 ${file}`,
    `paste ${file}`,
    `tac ${file}`,
    `sort ${file}`,
    `grep -n '' ${file}`,
    `grep -rn '' ${skills}/alpha`,
    `grep . ${file} sales.csv`,
    `grep -A9 TRUTH-ALPHA ${file}`,
    `git diff --no-index /dev/null ${file}`,
    `diff /dev/null ${file}`,
    `cat < ${file}`,
    `cd ${skills}/alpha && cat SKILL.md`,
    `(cd ${skills} && cat alpha/SKILL.md)`,
    `D=${skills}/alpha; cat "$D/SKILL.md"`,
    `for s in alpha; do cat ${skills}/$s/SKILL.md; done`,
    `for f in ${skills}/alpha/*.md; do cat "$f"; done`,
    `find ${skills}/alpha -name SKILL.md -exec cat {} +`,
    `find . -path '*alpha/SKILL.md' | xargs cat`,
    `cat $(find ${skills} -path '*/alpha/SKILL.md')`,
    `python3 -c "print(open('${file}').read())"`,
    `python3 -c "import glob; print(open(glob.glob('${skills}/al*/SKILL.md')[0]).read())"`,
    `node -e "process.stdout.write(require('fs').readFileSync('${file}','utf8'))"`,
    `perl -pe 1 ${file}`,
    `bash -c 'cat ${file}'`,
    `sh -c 'cat "$1"' _ ${file}`,
    `eval 'cat ${file}'`,
    `while read -r line; do echo "$line"; done < ${file}`,
    `echo "$(cat ${file})"`,
    `cat ${file} | sed 's/^/> /'`,
    `cat ${file} | tr '\\n' ' '`,
    `cat ${file}; false`,
    `cat ${file} nowhere.md`,
    `ls && cat ${file}`,
    `test -f ${file} && cat ${file}`,
    `if [ -f ${file} ]; then cat ${file}; fi`,
    `cat /proc/self/cwd/${file}`,
    `cat "$PWD/${file}"`,
    `cat ./${skills}/../skills/alpha/SKILL.md`,
    `show() { cat "${skills}/$1/SKILL.md"; }; show alpha`,
    `xargs cat <<< ${file}`,
    `timeout 5 cat ${file}`,
    `env X=1 cat ${file}`,
  ];
  return [
    ...alone.map((command) => ({ command, fires: ["alpha"] })),
    { command: `cat ${file} ${beta}`, fires: ["alpha", "beta"] },
    { command: `cat ${skills}/{alpha,beta}/SKILL.md`, fires: ["alpha", "beta"] },
    { command: `grep . ${file} ${beta}`, fires: ["alpha", "beta"] },
    { command: `cat ${skills}/*/SKILL.md`, fires: ["alpha", "beta", "brief", "quoted"] },
    { command: `cat ${skills}/brief/SKILL.md`, fires: ["brief"] },
    { command: `tail -n 1 ${skills}/brief/SKILL.md`, fires: ["brief"] },
    { command: `grep -h Say ${skills}/brief/SKILL.md`, fires: ["brief"] },
    { command: `cat ${skills}/quoted/SKILL.md`, fires: ["quoted"] },
  ];
}

/** Commands that name a skill or its file, and show nothing of its body. */
export function looks(skills: string): { command: string; sees?: string[] }[] {
  const file = `${skills}/alpha/SKILL.md`;
  const commands = [
    `ls ${skills}/alpha`,
    `ls -la ${file}`,
    `wc -l ${file}`,
    `echo ${file}`,
    `find ${skills} -name SKILL.md`,
    `grep -l TRUTH ${file}`,
    `grep -c '' ${file}`,
    `test -f ${file}`,
    `cat ${file} > /dev/null`,
    `cat ${file} | wc -l`,
    `true || cat ${file}`,
    `cat ${skills}/alpha/references/steps.md`,
    "cat nowhere/alpha/SKILL.md",
    `stat ${file}`,
    `cat sales.csv # and not ${file}`,
    `printf 'cat ${file}'`,
    "cat sales.csv",
    `basename ${file}`,
  ];
  return [...commands.map((command) => ({ command })), { command: "cat README.md", sees: ["quoted"] }];
}

/** Those that a CLI's read-only profile forbids, so that the model gets to see nothing. */
export function denials(cli: string): ReadonlySet<string> {
  if (cli !== "claude") return new Set();
  return new Set(
    readings(".claude/skills")
      .map(({ command }) => command)
      .filter((command) => CLAUDE_DENIES.some((form) => form.test(command))),
  );
}

/** Whatever could write, runs another program, or has words that cannot be checked before it runs. */
const CLAUDE_DENIES = [
  /^(sed -e|awk|diff|python3|node|perl|bash|sh|eval|env|for|find|D=|while|show)(?!\w)/,
  /^\(|\$\(|xargs|\{alpha|\/\.\.\//,
  /^D=/,
];
