import { expect, test } from "vitest";
import { z } from "zod";
import { REPORT_VERSION, renderJson, renderReport, reportSchema } from "../../src/reports/index.ts";
import { scenes } from "./scenes.ts";

test.each(Object.keys(scenes))("%s: the json report is what its schema says", (name) => {
  const report = JSON.parse(renderReport("json", scenes[name]!()));
  expect(reportSchema.parse(report)).toEqual(report);
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
