import { expect, test } from "vitest";
import { unescapeEntities } from "../../../src/hosts/reading/index.ts";
import { StagedSkills } from "../../../src/hosts/reading/staged-skills.ts";
import { adapterOf } from "../adapters.ts";

test.each([
  ["&lt;b&gt; &quot;x&quot; &amp; &apos;y&apos;", `<b> "x" & 'y'`],
  ["it&#39;s, it&#039;s, it&#x27;s, it&#X27;s", "it's, it's, it's, it's"],
  ["&amp;lt; stays an entity", "&lt; stays an entity"],
  ["&#128230;&#x1F4E6;", "\u{1F4E6}\u{1F4E6}"],
  ["a & b, &nothing; &#0; &#99999999; &#x110000;", "a & b, &nothing; &#0; &#99999999; &#x110000;"],
  ["", ""],
])("%j means %j", (escaped, text) => {
  expect(unescapeEntities(escaped)).toBe(text);
});

const description = 'Sorts the customer\'s boxes & "lids" by <size>.';

test.each([
  ["by name", "Sorts the customer&apos;s boxes &amp; &quot;lids&quot; by &lt;size&gt;."],
  ["by number", "Sorts the customer&#39;s boxes &#38; &#34;lids&#34; by &#60;size&#62;."],
  ["by hexadecimal number", "Sorts the customer&#x27;s boxes &#x26; &#x22;lids&#x22; by &#x3C;size&#x3E;."],
  ["not at all", description],
])("a description that arrives whole is whole, escaped %s", (_, escaped) => {
  const dir = "/ws/.agents/skills/boxes";
  const staged = new StagedSkills("/ws", [
    { id: "boxes", folder: "boxes", name: "boxes", dir, file: `${dir}/SKILL.md`, description, body: "Do it." },
  ]);
  const system = `<available_skills><skill><name>boxes</name><description>${escaped}</description></skill></available_skills>`;
  const { listing } = adapterOf("gemini").shown({ systemInstruction: { parts: [{ text: system }] } }, staged);
  expect(listing).toEqual([{ skill: "boxes", shown: "whole" }]);
});
