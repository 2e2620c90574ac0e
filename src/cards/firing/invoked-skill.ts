/**
 * The name of the skill that a prompt calls by command at its start: `/name …`, `/plugin:name …`, `Use /name to …`.
 * Hosts run such a command whatever the description says. Undefined when there is none.
 */
export function invokedName(query: string): string | undefined {
  return COMMAND.exec(query)?.[1]?.toLowerCase();
}

const COMMAND =
  /^\s*(?:please\s+)?(?:(?:use|run|invoke|call|start|launch|try)\s+)?(?:the\s+)?\/(?:[\w.-]+:)?([\w-]+)(?=$|[\s.,;:!?])/i;
