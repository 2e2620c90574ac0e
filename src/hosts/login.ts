/** Finds the user's own login, and reduces it to what a trial may have. */
export interface LoginSource {
  file(env: NodeJS.ProcessEnv, home: string): string;
  /** Names of further files in the same folder that `reduced` needs. */
  siblings?: readonly string[];
  /** An empty `model` asks about the login as a whole. */
  reduced(text: string, about: LoginQuery): Login | RefusedLogin;
  /** Advice if the file is missing and logging in is not enough. */
  otherwise?(platform: NodeJS.Platform): string | undefined;
}

export interface LoginQuery {
  model: string;
  endpoint?: string | undefined;
  env: NodeJS.ProcessEnv;
  /** File contents by name. */
  siblings: Readonly<Record<string, string>>;
}

/** A login reduced to what a trial needs. It cannot be renewed with it. */
export interface Login {
  /** Part of the target's identity, since a subscription may be served differently than a key. */
  kind: "subscription" | "key";
  files: { path: string; content: string }[];
  env?: Record<string, string>;
  /** Values that must never appear in a record. */
  secrets: string[];
  /** Milliseconds since 1970; undefined: unknown, or never. */
  expiresAt?: number;
  /** Set if one file holds the logins of several providers. */
  providers?: string[];
}

export interface RefusedLogin {
  refused: string;
  hint?: string;
}

/** The `exp` of a JSON Web Token, in milliseconds. */
export function expiryOfJwt(token: string): number | undefined {
  try {
    const { exp } = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8")) as {
      exp?: unknown;
    };
    return typeof exp === "number" ? exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}
