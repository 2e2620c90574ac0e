export interface LoginSource {
  file(env: NodeJS.ProcessEnv, home: string): string;
  siblings?: readonly string[];
  /** An empty `model` asks about the login as a whole. */
  reduced(text: string, about: LoginQuery): Login | RefusedLogin;
  otherwise?(platform: NodeJS.Platform): string | undefined;
}

export interface LoginQuery {
  model: string;
  endpoint?: string | undefined;
  env: NodeJS.ProcessEnv;
  siblings: Readonly<Record<string, string>>;
}

/** A login that cannot be renewed with what it contains. */
export interface Login {
  /** Part of the target's identity: a subscription may be served differently from a key. */
  kind: "subscription" | "key";
  files: { path: string; content: string }[];
  env?: Record<string, string>;
  /** Values that must never appear in a record. */
  secrets: string[];
  /** Milliseconds since 1970; undefined if unknown or never. */
  expiresAt?: number;
  providers?: string[];
}

export interface RefusedLogin {
  refused: string;
  hint?: string;
}

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
