/** Messages begin with these, or with a name, which stays as it is written. */
const OPENERS = /^(?:for|no|nothing|the|there|two)(?= )/;

/** What is wrong as people read it: with a capital and a full stop, whoever worded it. */
export function sentence(message: string): string {
  const begun = message.replace(OPENERS, (word) => word.charAt(0).toUpperCase() + word.slice(1));
  return /[.!?…:)\]]$/.test(begun) ? begun : `${begun}.`;
}
