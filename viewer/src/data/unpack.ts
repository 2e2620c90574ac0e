/** Data embedded in the page under this id: JSON, compressed, in base64. Undefined in a served page. */
export async function unpack<T>(id: string): Promise<T | undefined> {
  const element = document.getElementById(id);
  const text = element?.textContent?.trim() ?? "";
  if (text === "") return undefined;
  const bytes = bytesOf(text);
  // Read once: the text would only take up memory from here on.
  element?.remove();
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return (await new Response(stream).json()) as T;
}

/** Uses the browser's decoder if it has one; else a loop, several times as fast as a callback per character. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const { fromBase64 } = Uint8Array as { fromBase64?(text: string): Uint8Array<ArrayBuffer> };
  if (fromBase64 !== undefined) return fromBase64.call(Uint8Array, base64);
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}
