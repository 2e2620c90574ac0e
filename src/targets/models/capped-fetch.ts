const MOST_BYTES = 2 * 1024 * 1024;

export class ReplyTooLarge extends Error {
  constructor() {
    super(`the reply is larger than ${MOST_BYTES / 1024 / 1024} MB`);
    this.name = "ReplyTooLarge";
  }
}

/** The server redirects: `fetch` would take along the key, in headers it does not know to be secret. */
export class RedirectRefused extends Error {
  constructor(status: number, from: string, location: string | null) {
    const to = location !== null && URL.canParse(location, from) ? new URL(location, from).origin : "another address";
    super(
      [
        `HTTP ${status}: ${new URL(from).origin} redirects to ${to}, and redirects are not followed,`,
        "because the key would go with them. Set the final address.",
      ].join(" "),
    );
    this.name = "RedirectRefused";
  }
}

export const cappedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: "manual" });
  if (response.status >= 300 && response.status < 400) {
    await response.body?.cancel();
    throw new RedirectRefused(
      response.status,
      input instanceof Request ? input.url : String(input),
      response.headers.get("location"),
    );
  }
  if (response.body === null) return response;
  let bytes = 0;
  const cap = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > MOST_BYTES) controller.error(new ReplyTooLarge());
      else controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(cap), {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  });
};

/** Stands for a token count that was not a number; sums with it stay below zero. */
const UNKNOWN_COUNT = -1e300;

/** For the SDKs, which reject a whole reply over one token count that is not a number. */
export const modelFetch: typeof fetch = async (input, init) => {
  const response = await cappedFetch(input, init);
  if (!response.ok) return response;
  const { status, statusText, headers } = response;
  return new Response(withCounts(await response.text()), { status, statusText, headers });
};

function withCounts(reply: string): string {
  try {
    return JSON.stringify(
      JSON.parse(reply, (name, value: unknown) => {
        if (/^usage(?:Metadata)?$/.test(name) && typeof value !== "object") return UNKNOWN_USAGE;
        if (!/(?:tokens|TokenCount)$/.test(name) || typeof value === "object" || isCount(value)) return value;
        return UNKNOWN_COUNT;
      }),
    );
  } catch {
    return reply;
  }
}

const UNKNOWN_USAGE = {
  input_tokens: UNKNOWN_COUNT,
  output_tokens: UNKNOWN_COUNT,
  prompt_tokens: UNKNOWN_COUNT,
  completion_tokens: UNKNOWN_COUNT,
  promptTokenCount: UNKNOWN_COUNT,
  candidatesTokenCount: UNKNOWN_COUNT,
};

export function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
