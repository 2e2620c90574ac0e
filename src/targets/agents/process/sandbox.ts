/** Wraps a command so that it can write only to its own folder and read as little as possible elsewhere. */
export interface Sandbox {
  name: string;
  wrap(command: Wrappable, place: SandboxPlace): { file: string; args: string[]; sandboxed?: boolean };
  /** Hides further folders. Paths that occur in `prompt` do not count as needed by the command. */
  hiding(folders: readonly string[], prompt?: string): Sandbox;
}

export interface Wrappable {
  file: string;
  args: string[];
  env: Record<string, string>;
  /**
   * Paths it needs besides the system's and PATH. Set if its arguments and variables are untrusted; otherwise those
   * decide.
   */
  needs?: readonly string[];
  /** Untrusted variables, set only inside: the sandbox's own program would heed them too. */
  inside?: Record<string, string>;
}

export function insideWords({ file, args, inside = {} }: Wrappable): string[] {
  const set = Object.entries(inside).map(([name, value]) => `${name}=${value}`);
  return [...(set.length === 0 ? [] : ["/usr/bin/env", ...set]), file, ...args];
}

export interface SandboxPlace {
  root: string;
  tmp: string;
  writable: string[];
}
