import { useEffect, useState } from "preact/hooks";
import type { PageTranscript, PageTrial } from "../../../../src/reporters/html/page-data.ts";
import type { Model } from "../../data/model.ts";
import { isServed, transcriptOf } from "../../data/source.ts";
import { Copy } from "../../parts/copy.tsx";
import { Download } from "../../parts/download.tsx";
import { count, oneLine } from "../../parts/words.ts";
import { Files } from "./files.tsx";
import { wholeTime } from "./moment.tsx";
import { Step } from "./step.tsx";
import { Text } from "./text.tsx";
import { endText } from "./words.ts";

/** The transcript as a timeline, loaded when it is opened. */
export function Steps({
  trial,
  target,
  prompt,
  model,
}: {
  trial: PageTrial;
  target: string;
  prompt: string;
  model: Model;
}) {
  const [transcript, setTranscript] = useState<PageTranscript | "missing" | undefined>();
  useEffect(() => {
    let isOver = false;
    setTranscript(undefined);
    void transcriptOf(target, trial.ask, trial.run).then((found) => {
      if (!isOver) setTranscript(found ?? "missing");
    });
    return () => {
      isOver = true;
    };
  }, [target, trial.ask, trial.run, trial.at]);
  const all = wholeTime(trial, typeof transcript === "object" ? transcript.steps : []);
  return (
    <section class="timeline" aria-label="Transcript">
      <ol>
        <li class="step prompt">
          <h2>
            Prompt <Copy text={prompt} what="the prompt" />
          </h2>
          <Text text={{ text: prompt, leftOff: 0 }} />
        </li>
        {typeof transcript === "object" &&
          transcript.steps.map((step, at) => (
            <Step key={`${at}`} step={step} before={transcript.steps[at - 1]} all={all} />
          ))}
        {transcript === "missing" &&
          trial.fired.map((activation, at) => (
            <Step key={`${at}`} step={{ type: "activation", ...activation }} before={undefined} all={all} />
          ))}
        {(transcript === "missing" || transcript?.steps.length === 0) && (
          <li class="step">
            <p class="quiet">
              {trial.prediction !== undefined
                ? "No agent ran: this is predicted from the cards."
                : trial.transcript === undefined
                  ? "Nothing else was said or done in this trial, or it was not kept."
                  : isServed.value
                    ? "The record no longer has this transcript."
                    : `This transcript is in the record, but not in this file: proctor view ${oneLine(model.exam?.run.id ?? "")} shows it.`}
            </p>
          </li>
        )}
        {typeof transcript === "object" && transcript.leftOff > 0 && (
          <li class="step">
            <p class="quiet">
              {count(transcript.leftOff, "more step")} in the record
              {isServed.value ? "." : `: proctor view ${oneLine(model.exam?.run.id ?? "")} shows them.`}
            </p>
          </li>
        )}
        {trial.prediction === undefined && (
          <li class={`step end${trial.error === undefined ? "" : " error"}`}>
            <p>
              {trial.error === undefined
                ? `Ended ${endText(trial)}.`
                : `Error: ${model.data.words.errors[trial.error.reason] ?? trial.error.reason}. ${oneLine(trial.error.message).slice(0, 300)}`}
            </p>
          </li>
        )}
      </ol>
      {typeof transcript === "object" && transcript.files.length > 0 && <Files transcript={transcript} />}
      {typeof transcript === "object" && transcript.raw !== undefined && (
        <details class="raw">
          <summary>Raw output of the host</summary>
          <p>
            <Download
              text={transcript.raw.text}
              name={`${target}-${trial.ask}-${trial.run}.txt`.replaceAll(/[^\w.-]+/g, "-")}
            >
              save it as a file
            </Download>
            {transcript.raw.leftOff > 0 && (
              <span class="quiet">
                {" "}
                without the {count(transcript.raw.leftOff, "character")} that only the record has
              </span>
            )}
          </p>
          <Text text={transcript.raw} code />
        </details>
      )}
    </section>
  );
}
