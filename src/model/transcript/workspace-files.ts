/** One entry of the workspace as the examinee left it. */
export interface LeftFile {
  /** Relative to the workspace, with forward slashes. */
  path: string;
  change: "added" | "changed" | "removed" | "same";
  /** `link`: one that leads out of the workspace, or nowhere; it is not followed. `special`: neither a file nor a folder. */
  kind: "file" | "folder" | "link" | "special";
  /** Of a folder: what is in it is not told, for it is too much or too deep. */
  unlisted?: true;
  bytes?: number;
  sha256?: string;
  executable?: true;
  /** What it holds, where it is text, and not too long to be kept. */
  text?: string;
  /** What it holds otherwise. */
  base64?: string;
  /** Of a file that was changed or removed: what it held before, where that was text, and not too long to be kept. */
  before?: string;
}

/** What the examinee left in its workspace, so that its files can be checked later too. */
export interface WorkspaceFiles {
  files: LeftFile[];
  /** Why something of it is not here. */
  cut?: string;
}

/** A file whose content was not kept cannot be read from here; a folder, a link and what was removed have none. */
export function contentOf(file: LeftFile): Buffer | undefined {
  if (file.text !== undefined) return Buffer.from(file.text, "utf8");
  return file.base64 === undefined ? undefined : Buffer.from(file.base64, "base64");
}
