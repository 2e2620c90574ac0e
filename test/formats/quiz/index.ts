import { get, items, text } from "../../../src/formats/documents/index.ts";
import type { Format } from "../../../src/formats/format.ts";
import { expectation } from "../../../src/formats/questions/expect.ts";
import { emptySuite, makeTrigger } from "../../../src/formats/questions/question.ts";

/** A format that nobody has: `quiz: [{ ask, goes_to }]`. */
export const quiz: Format = {
  id: "quiz",
  recognises: ({ root }) => items(get(root, "quiz")).some((item) => text(get(item, "goes_to")) !== undefined),
  read(document, { names }) {
    const suite = emptySuite(document.file, quiz.id);
    for (const item of items(get(document.root, "quiz"))) {
      const [query, skill] = [text(get(item, "ask")) ?? "", names.idOf(text(get(item, "goes_to")) ?? "")];
      const expect = expectation({ skill, shouldTrigger: true });
      suite.triggers.push(makeTrigger({ skill, query, expect, source: document.at(item) }));
    }
    return suite;
  },
};
