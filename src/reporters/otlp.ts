import { sha256, VERSION } from "../base/index.ts";
import type { QuestionLine, Scores, TargetScores, Transcript, TrialLine } from "../model/index.ts";
import { type RenderOptions, type Reporter, requireSource } from "./reporter.ts";

/**
 * A run as OpenTelemetry spans (run, question, trial, turn, tool call) with the names of the GenAI conventions. Posted
 * as OTLP/HTTP JSON, or written to a file with one request per line. Hosts do not report the times of turns and calls,
 * so those spans carry the times of their trial.
 */
export const otlp: Reporter = {
  name: "otlp",
  about: "for OpenTelemetry: the run as spans, to a file or an address (otlp=http://127.0.0.1:4318/v1/traces)",
  render: spanRequests,
  posts: "application/json",
};

type AttributeValue = string | number | boolean | undefined;

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: 1 | 3;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: object }[];
  status: { code: 0 | 1 | 2; message?: string };
}

/** Spans per request, because collectors accept only a few megabytes at once. */
const BATCH = 500;

async function* spanRequests(scores: Scores, options: RenderOptions): AsyncGenerator<string> {
  const source = requireSource("otlp", options);
  const traceId = sha256(`run ${scores.run.id} ${scores.run.startedAt}`).slice(0, 32);
  const idOf = (...parts: (string | number)[]) => sha256([traceId, ...parts].join("\0")).slice(0, 16);
  const questions = new Map<string, QuestionLine[]>();
  let batch: Span[] = [];
  const request = () => {
    const resource = attributes({
      "service.name": "proctor",
      "service.version": VERSION,
      "proctor.library": scores.run.library.name,
    });
    const body = {
      resourceSpans: [
        {
          resource: { attributes: resource },
          scopeSpans: [{ scope: { name: "proctor", version: VERSION }, spans: batch }],
        },
      ],
    };
    batch = [];
    return `${JSON.stringify(body)}\n`;
  };
  for (const span of [runSpan(scores, traceId, idOf("run")), ...questionSpans(scores, traceId, idOf)]) {
    batch.push(span);
    if (batch.length >= BATCH) yield request();
  }
  for await (const line of source.lines()) {
    if (line.type === "question")
      for (const ask of [line.ask, ...Object.values(line.asks ?? {})])
        questions.set(ask, [...(questions.get(ask) ?? []), line]);
    if (line.type !== "trial") continue;
    const parent = questions.get(line.ask)?.[0];
    const identity = scores.targets.find(({ id }) => id === line.target)?.identity;
    batch.push(...trialSpans(line, parent, await source.transcript(line), { traceId, idOf, identity }));
    if (batch.length >= BATCH) yield request();
  }
  if (batch.length > 0) yield request();
}

function runSpan({ run, plan, targets }: Scores, traceId: string, spanId: string): Span {
  return {
    traceId,
    spanId,
    name: `run ${run.id}`,
    kind: 1,
    ...times(Date.parse(run.startedAt), Date.parse(run.endedAt ?? run.startedAt)),
    attributes: attributes({
      "proctor.run": run.id,
      "proctor.questions": plan.questions,
      "proctor.targets": targets.map(({ id }) => id).join(", "),
      "vcs.ref.head.revision": run.git?.commit,
    }),
    status: { code: run.how === "complete" ? 1 : 2, message: run.how === "complete" ? undefined : run.how },
  };
}

function questionSpans({ targets, run }: Scores, traceId: string, idOf: (...parts: string[]) => string): Span[] {
  return targets.flatMap(({ id, questions }) =>
    questions
      .filter(({ status }) => status === "asked")
      .map(({ id: question, name, skill, prompt, verdict, rate, why, measuredAt }): Span => {
        const start = Date.parse(measuredAt?.first ?? run.startedAt);
        return {
          traceId,
          spanId: idOf("question", id, question),
          parentSpanId: idOf("run"),
          name: `question ${question}`,
          kind: 1,
          ...times(start, Date.parse(measuredAt?.last ?? run.startedAt)),
          attributes: attributes({
            "proctor.question": question,
            "proctor.target": id,
            "proctor.case": name,
            "proctor.skill": skill,
            "proctor.prompt": prompt.slice(0, 1000),
            "gen_ai.evaluation.name": "proctor",
            "gen_ai.evaluation.score.label": verdict,
            "gen_ai.evaluation.score.value": rate.value ?? undefined,
            "gen_ai.evaluation.explanation": why,
          }),
          status: {
            code: verdict === "fail" ? 2 : verdict === "pass" ? 1 : 0,
            message: verdict === "fail" ? why : undefined,
          },
        };
      }),
  );
}

function trialSpans(
  trial: TrialLine,
  question: QuestionLine | undefined,
  transcript: Transcript | undefined,
  {
    traceId,
    idOf,
    identity,
  }: {
    traceId: string;
    idOf: (...parts: (string | number)[]) => string;
    identity: TargetScores["identity"] | undefined;
  },
): Span[] {
  const { target, ask, run, ms, error, usage, activations, costUsd } = trial;
  const start = Date.parse(trial.startedAt);
  const when = times(start, start + ms);
  const spanId = idOf("trial", target, ask, run);
  const [host = target, name = ""] = target.split(/:(.*)/s);
  const model = identity?.model ?? name;
  const trialSpan: Span = {
    traceId,
    spanId,
    parentSpanId: question === undefined ? idOf("run") : idOf("question", target, question.id),
    name: `invoke_agent ${host}`,
    kind: 3,
    ...when,
    attributes: attributes({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": host,
      "gen_ai.provider.name": identity?.provider,
      "gen_ai.request.model": model === "" ? undefined : model,
      "gen_ai.response.model": transcript?.model,
      "gen_ai.usage.input_tokens": usage?.inputTokens,
      "gen_ai.usage.output_tokens": usage?.outputTokens,
      "error.type": error?.reason,
      "proctor.trial": run,
      "proctor.activations": activations.map(({ skill, evidence, turn }) => `${skill} ${evidence} ${turn}`).join("; "),
      "proctor.cost_usd": costUsd,
      "proctor.cached_from": trial.cached?.measuredAt,
    }),
    status: error === undefined ? { code: 1 } : { code: 2, message: error.message },
  };
  const { calls = [], texts = [] } = transcript ?? {};
  const turns = [...new Set([...calls, ...texts, ...activations].map(({ turn }) => turn))].sort((a, b) => a - b);
  return [
    trialSpan,
    ...turns.map(
      (turn): Span => ({
        traceId,
        spanId: idOf(spanId, "turn", turn),
        parentSpanId: spanId,
        name: `turn ${turn}`,
        kind: 1,
        ...when,
        attributes: attributes({ "proctor.turn": turn }),
        status: { code: 0 },
      }),
    ),
    ...calls.map(
      (call, index): Span => ({
        traceId,
        spanId: idOf(spanId, "call", index),
        parentSpanId: idOf(spanId, "turn", call.turn),
        name: `execute_tool ${call.tool}`,
        kind: 1,
        ...when,
        attributes: attributes({
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.name": call.tool,
          "gen_ai.tool.call.id": call.id,
        }),
        status: { code: call.ok === false ? 2 : call.ok === true ? 1 : 0 },
      }),
    ),
  ];
}

function times(start: number, end: number): Pick<Span, "startTimeUnixNano" | "endTimeUnixNano"> {
  const nano = (ms: number) => String(BigInt(Math.round((Number.isFinite(ms) ? ms : 0) * 1000)) * 1000n);
  return { startTimeUnixNano: nano(start), endTimeUnixNano: nano(Math.max(start, end)) };
}

function attributes(values: Record<string, AttributeValue>): Span["attributes"] {
  return Object.entries(values).flatMap(([key, value]) =>
    value === undefined || value === "" ? [] : [{ key, value: wrapped(value) }],
  );
}

function wrapped(value: string | number | boolean): object {
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number") return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { stringValue: value };
}
