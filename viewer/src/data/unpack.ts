/** What lies in the page under this id: JSON, compressed, as base64. undefined where the page has none (it is served, then). */
export async function unpack<T>(id: string): Promise<T | undefined> {
  const element = document.getElementById(id);
  const text = element?.textContent?.trim() ?? "";
  if (text === "") return undefined;
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  // Read once: the text would only take up memory from here on.
  element?.remove();
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return (await new Response(stream).json()) as T;
}
