/** The user's own login: where it is, and what of it a trial may have. */
export interface LoginSource {
  file(env: NodeJS.ProcessEnv, home: string): string;
  /** Files of the same folder that tell more about it, by name. */
  siblings?: readonly string[];
  /** `model`: an empty one asks about the login as a whole. */
  reduced(text: string, about: LoginQuery): Login | RefusedLogin;
  /** What to do where there is no such file, when that is more than to log in. */
  otherwise?(platform: NodeJS.Platform): string | undefined;
}

export interface LoginQuery {
  model: string;
  endpoint?: string | undefined;
  env: NodeJS.ProcessEnv;
  /** What is in the files beside it. */
  siblings: Readonly<Record<string, string>>;
}

/** A login reduced to what a trial needs: nothing in it can renew it. */
export interface Login {
  /** With whom: a subscription may be answered elsewhere than a key. It is part of the target's identity; the account is not. */
  kind: "subscription" | "key";
  /** Written into the HOME of every trial. */
  files: { path: string; content: string }[];
  env?: Record<string, string>;
  /** Never to be seen in a record. */
  secrets: string[];
  /** Milliseconds since 1970; absent = not known, or never. */
  expiresAt?: number;
  /** Where one file holds the logins of several providers. */
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
