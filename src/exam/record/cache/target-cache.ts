import type { Ask } from "../../../model/index.ts";
import { transcriptShape } from "../lines/line-shapes.ts";
import { maskedTranscript } from "../lines/masked-line.ts";
import { amount, moment, object } from "../lines/shape.ts";
import { type AnswerHead, type AnswerKey, bucketLine } from "./bucket.ts";
import type { CachedAnswer, CachedSkill, CachedTarget, TargetCache } from "./cache.ts";
import { askFingerprint, short } from "./fingerprints.ts";
import { skillsReadIn } from "./skills-read.ts";
import {
  type LibrarySnapshot,
  librarySnapshot,
  loadLibrary,
  loadTarget,
  saveSnapshot,
  type TargetSnapshot,
  targetSnapshot,
} from "./snapshots.ts";
import type { CacheStore } from "./store.ts";
import { whyAskedAgain } from "./why-asked-again.ts";

export function targetCache(store: CacheStore, target: CachedTarget, skills: readonly CachedSkill[]): TargetCache {
  const { kind, identity } = target;
  const targetNow: TargetSnapshot = targetSnapshot(target, store.mask);
  const targetPrint = short({ kind, identity });
  const files = new Map(skills.map((skill) => [skill.id, skill.files]));
  const staged = memo((only: string) =>
    stagedLibrary(only === "" ? skills : skills.filter((skill) => skill.id === only)),
  );
  const snapshots = {
    target: memo((name: string) => loadTarget(store.dir, name)),
    library: memo((name: string) => loadLibrary(store.dir, name)),
  };
  const save = memo((print: string) => {
    store.attempt(() => {
      saveSnapshot(store.dir, `target-${targetPrint}`, targetNow);
      for (const library of staged.values())
        if (library.print === print) saveSnapshot(store.dir, `library-${print}`, library.snapshot);
    });
    return true;
  });

  return {
    async get(ask, run, decided = () => false) {
      const { key } = locate(ask, run);
      const head = store.bucket(key).head(key);
      if (head === undefined || head.at < store.oldest || store.isFromTheFuture(head.at) || !holds(head))
        return undefined;
      const body = store.bucket(key).body(key) ?? reread(key);
      const answer = body === undefined ? undefined : parseAnswer(body);
      const whole =
        answer !== undefined && (answer.transcript.how !== "stopped" || decided(answer.transcript.activations));
      return whole ? answer : undefined;
    },

    put(ask, run, answer) {
      if (answer.transcript.outcome.status === "error") return;
      const body = maskedTranscript(answer, store.mask);
      // An answer that could not be read again is not cached.
      if (parseAnswer(body) === undefined) return;
      const { key } = locate(ask, run);
      const head: AnswerHead = {
        ...key,
        at: Date.parse(answer.measuredAt),
        loaded: loadedIn(answer),
        endedEarly: answer.transcript.how === "stopped" ? true : undefined,
      };
      save.get(key.library);
      store.add(key, bucketLine(head, body));
    },

    async whyAsked(ask, run) {
      const { key, library } = locate(ask, run);
      const heads = store.bucket(key).headsOfAsk(key.ask);
      if (heads.length === 0) return undefined;
      const { oldest, maxAgeDays } = store;
      const now = { target: targetNow, library: library.snapshot };
      const earlier = { target: snapshots.target.get, library: snapshots.library.get };
      const isFromTheFuture = (at: number) => store.isFromTheFuture(at);
      return whyAskedAgain(heads, { ...key, now, files, oldest, maxAgeDays, isFromTheFuture }, earlier);
    },
  };

  function locate(ask: Ask, run: number): { key: AnswerKey; library: { snapshot: LibrarySnapshot } } {
    const library = staged.get(target.perSkill && ask.skill !== undefined ? ask.skill : "");
    return { key: { ask: askFingerprint(ask), run, target: targetPrint, library: library.print }, library };
  }

  function holds(head: AnswerHead): boolean {
    return Object.entries(head.loaded).every(([skill, print]) => files.get(skill) === print);
  }

  function loadedIn({ transcript }: CachedAnswer): Record<string, string> {
    // Skills outside the library were staged by the target and are part of its identity.
    return Object.fromEntries(
      skillsReadIn(transcript, skills).flatMap((skill) => {
        const print = files.get(skill);
        return print === undefined ? [] : [[skill, print]];
      }),
    );
  }

  function reread(key: AnswerKey): string | undefined {
    store.forget(key);
    return store.bucket(key).body(key);
  }
}

function stagedLibrary(skills: readonly CachedSkill[]): { print: string; snapshot: LibrarySnapshot } {
  const snapshot = librarySnapshot(skills);
  return { print: short(snapshot), snapshot };
}

function parseAnswer(body: string): CachedAnswer | undefined {
  try {
    const answer: unknown = JSON.parse(body);
    if (answerShape(answer) !== undefined) return undefined;
    return (answer as CachedAnswer).transcript.outcome.status === "activations" ? (answer as CachedAnswer) : undefined;
  } catch {
    return undefined;
  }
}

const answerShape = object({ measuredAt: moment, ms: amount, transcript: transcriptShape });

function memo<Value>(compute: (name: string) => Value): { get(name: string): Value; values(): Iterable<Value> } {
  const known = new Map<string, Value>();
  return {
    get(name) {
      let value = known.get(name);
      if (value === undefined) {
        value = compute(name);
        known.set(name, value);
      }
      return value;
    },
    values: () => known.values(),
  };
}
