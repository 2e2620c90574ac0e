/** Reads the `<available_skills>` block that several hosts put into their prompts. */
export function skillCards(prompt: string): { entries: { name: string; text: string | undefined }[]; characters: number } {
  const blocks = [...prompt.matchAll(/<available_skills>([\s\S]*?)<\/available_skills>/g)].map((found) => found[1]!);
  const block = blocks.find((candidate) => candidate.includes("<skill>")) ?? "";
  const entries = [...block.matchAll(/<skill>([\s\S]*?)<\/skill>/g)].map((found) => ({
    name: unescaped(element(found[1]!, "name") ?? ""),
    text: element(found[1]!, "description") || undefined,
  }));
  return { entries, characters: block.length };
}

function element(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(xml)?.[1]?.trim();
}

function unescaped(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");
}
