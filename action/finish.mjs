// Fails the job as Proctor's exit code says, after everything has been reported.
const code = Number(process.env.PROCTOR_ACTION_EXIT_CODE || 2);
const words = {
  0: "All well.",
  1: "A gate was breached, or a question failed.",
  2: "Proctor could not do its work: see above.",
  3: "Something was not measured.",
};
console.log(words[code] ?? `Exit code ${code}.`);
process.exit(code);
