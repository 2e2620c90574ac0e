/*
 * Source of the programs that decide assertions. They read `{ assertions, variables }` from stdin and write the results
 * as the last line. They offer no protection: the sandbox, the empty environment and the time limit do.
 */

export const JAVASCRIPT = `
"use strict";
const vm = require("node:vm");
let text = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (piece) => { text += piece; });
process.stdin.on("end", () => {
  const { assertions, variables } = JSON.parse(text);
  const results = assertions.map((assertion) => {
    try {
      const context = vm.createContext({ ...structuredClone(variables), $: undefined });
      const isStatement = assertion.includes("globalThis.$ =");
      const value = vm.runInContext(isStatement ? "{" + assertion + "}" : "(" + assertion + "\\n)", context, { timeout: 5000 });
      return { status: "value", value: Boolean(isStatement ? context.$ : value) };
    } catch (error) {
      return { status: "threw", message: String(error && error.message || error).slice(0, 300) };
    }
  });
  process.stdout.write("\\nproctor-results " + JSON.stringify(results) + "\\n");
});
`;

/** Like waza, without built-in functions except harmless ones that assertions need. */
export const PYTHON = `
import json, re, sys
given = json.load(sys.stdin)
names = "abs all any bool dict enumerate filter float int isinstance len list map max min range reversed round set sorted str sum tuple zip type".split()
source = __builtins__ if isinstance(__builtins__, dict) else vars(__builtins__)
allowed = {name: source[name] for name in names}
results = []
for assertion in given["assertions"]:
    scope = {"__builtins__": allowed, "re": re, "json": json, **json.loads(json.dumps(given["variables"]))}
    try:
        results.append({"status": "value", "value": bool(eval(assertion, scope))})
    except BaseException as error:
        results.append({"status": "threw", "message": (type(error).__name__ + ": " + str(error))[:300]})
sys.stdout.write("\\nproctor-results " + json.dumps(results) + "\\n")
`;
