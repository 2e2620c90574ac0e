/** Is standard output to be JSON? Known before the command line is understood, since it may be wrong. */
export function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  const words = end < 0 ? argv : argv.slice(0, end);
  return words.includes("--json") || words.some((word, index) => isJson(givenTo(word, words[index + 1])));
}

/** `--reporter json`, `--reporter=json`, `--format json`. */
function givenTo(word: string, next: string | undefined): string {
  const [, flag, value] = /^--(reporter|format)(?:=(.*))?$/.exec(word) ?? [];
  return flag === undefined ? "" : (value ?? next ?? "");
}

function isJson(reporters: string): boolean {
  return reporters.split(",").some((one) => /^json(?:=-)?$/.test(one.trim()));
}
