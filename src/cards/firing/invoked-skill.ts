/**
 * The skill that a prompt starts by command: `/name …`, `/plugin:name …`, `Use /name to …`. Hosts run such a command
 * whatever the description says.
 */
export function invokedName(query: string): string | undefined {
  return COMMAND.exec(query)?.[1]?.toLowerCase();
}

const COMMAND =
  /^\s*(?:please\s+)?(?:(?:use|run|invoke|call|start|launch|try)\s+)?(?:the\s+)?\/(?:[\w.-]+:)?([\w-]+)(?=$|[\s.,;:!?])/i;
