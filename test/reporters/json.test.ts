import { expect, test } from "vitest";
import { z } from "zod";
import { REPORT_VERSION, renderJson, renderReport, reportSchema } from "../../src/reporters/index.ts";
import { scenes } from "./scenes.ts";

test.each(Object.keys(scenes))("%s: the json report is what its schema says", (name) => {
  const report = JSON.parse(renderReport("json", scenes[name]!()));
  expect(reportSchema.parse(report)).toEqual(report);
});

test("every two targets, both ways: what the one's word says of the other", () => {
  const { agreements } = reportSchema.parse(JSON.parse(renderReport("json", scenes["two targets"]!())));
  expect(agreements.map(({ first, second, n, agreed }) => [first, second, n, agreed])).toEqual([
    ["embedded", "claude:haiku", 48, 40],
    ["claude:haiku", "embedded", 48, 40],
  ]);
  for (const { n, agreed, secondFails } of agreements) {
    const { givenFail, givenPass } = secondFails;
    expect(givenFail.n + givenPass.n).toBe(n);
    const disagreed = givenFail.n * (1 - (givenFail.value ?? 0)) + givenPass.n * (givenPass.value ?? 0);
    expect(Math.round(disagreed)).toBe(n - agreed);
    expect(givenPass.low).toBeLessThanOrEqual(givenPass.value ?? 1);
  }
});

test("the json report carries its version, the exit code and what was not measured as null", () => {
  const report = reportSchema.parse(JSON.parse(renderReport("json", scenes["all errors"]!())));
  expect(report).toMatchObject({ version: REPORT_VERSION, exitCode: 3 });
  expect(report.targets[0]!.total.recall).toEqual({ value: null, n: 0, prompts: 0, low: null, high: null });
});

test("the same record gives the same bytes", () => {
  expect(renderJson(scenes["two targets"]!())).toBe(renderReport("json", scenes["two targets"]!()));
});

test("the schema can be written as JSON Schema", () => {
  expect(z.toJSONSchema(reportSchema)).toMatchObject({ type: "object", additionalProperties: false });
});
