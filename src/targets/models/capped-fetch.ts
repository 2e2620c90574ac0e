const MOST_BYTES = 2 * 1024 * 1024;

/** Thrown when a reply is larger than any answer we could use, before it fills the memory. */
export class ReplyTooLarge extends Error {
  constructor() {
    super(`the reply is larger than ${MOST_BYTES / 1024 / 1024} MB`);
    this.name = "ReplyTooLarge";
  }
}

/** `fetch`, with a limit on the size of the reply. */
export const cappedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
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
