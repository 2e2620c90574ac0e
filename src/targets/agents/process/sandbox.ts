/** Wraps a command so that it can write only to its own folder, and finds nothing there is to be learnt elsewhere. */
export interface Sandbox {
  name: string;
  wrap(command: Wrappable, place: SandboxPlace): { file: string; args: string[]; sandboxed?: boolean };
  /** The same, with further folders that nothing inside may see. `prompt`: what the examinee is told names no file that it needs. */
  hiding(folders: readonly string[], prompt?: string): Sandbox;
}

export interface Wrappable {
  file: string;
  args: string[];
  env: Record<string, string>;
  /** The only paths it needs beside the system's and those of PATH, where its words and variables are somebody else's; otherwise what these name. */
  needs?: readonly string[];
  /** Somebody else's variables: set inside, since the sandbox's own program would heed them too. */
  inside?: Record<string, string>;
}

/** The command as it is started inside. */
export function insideWords({ file, args, inside = {} }: Wrappable): string[] {
  const set = Object.entries(inside).map(([name, value]) => `${name}=${value}`);
  return [...(set.length === 0 ? [] : ["/usr/bin/env", ...set]), file, ...args];
}

export interface SandboxPlace {
  root: string;
  tmp: string;
  /** Further folders it may write to. */
  writable: string[];
}
