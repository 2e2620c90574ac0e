import type { Ask } from "../../suites/index.ts";
import { countedActivations } from "../../transcripts/index.ts";
import { maskedJson } from "../masked-json.ts";
import { type AnswerHead, type AnswerKey, bucketLine } from "./bucket.ts";
import type { CachedAnswer, CachedSkill, CachedTarget, TargetCache } from "./cache.ts";
import { askFingerprint, short } from "./fingerprints.ts";
import { type LibrarySnapshot, librarySnapshot, loadSnapshot, saveSnapshot, type TargetSnapshot } from "./snapshots.ts";
import type { CacheStore } from "./store.ts";
import { whyAskedAgain } from "./why-asked-again.ts";

/** One target's part of the cache. What does not depend on the ask is fingerprinted once. */
export function targetCache(store: CacheStore, target: CachedTarget, skills: readonly CachedSkill[]): TargetCache {
  const { id, kind, identity } = target;
  const targetNow: TargetSnapshot = { id, kind, identity };
  const targetPrint = short({ kind, identity });
  const files = new Map(skills.map((skill) => [skill.id, skill.files]));
  const staged = memo((only: string) => stagedLibrary(only === "" ? skills : skills.filter((skill) => skill.id === only)));
  const snapshots = {
    target: memo((name: string) => loadSnapshot(store.dir, `target-${name}`) as TargetSnapshot | undefined),
    library: memo((name: string) => loadSnapshot(store.dir, `library-${name}`) as LibrarySnapshot | undefined),
  };
  const save = memo((print: string) => {
    store.attempt(() => {
      saveSnapshot(store.dir, `target-${targetPrint}`, targetNow);
      for (const library of staged.values()) if (library.print === print) saveSnapshot(store.dir, `library-${print}`, library.snapshot);
    });
    return true;
  });

  return {
    async get(ask, run, decided = () => false) {
      const { key } = locate(ask, run);
      const head = store.bucket(key).head(key);
      if (head === undefined || head.at < store.oldest || !holds(head)) return undefined;
      const body = store.bucket(key).body(key) ?? reread(key);
      const answer = body === undefined ? undefined : parseAnswer(body);
      const whole = answer !== undefined && (answer.transcript.how !== "stopped" || decided(answer.transcript.activations));
      return whole ? answer : undefined;
    },

    put(ask, run, answer) {
      if (answer.transcript.outcome.status === "error") return;
      const { key } = locate(ask, run);
      const head: AnswerHead = {
        ...key,
        at: Date.parse(answer.measuredAt),
        loaded: loadedIn(answer),
        endedEarly: answer.transcript.how === "stopped" ? true : undefined,
      };
      save.get(key.library);
      store.add(key, bucketLine(head, maskedJson(answer, store.mask)));
    },

    async whyAsked(ask, run) {
      const { key, library } = locate(ask, run);
      const heads = store.bucket(key).headsOfAsk(key.ask);
      if (heads.length === 0) return undefined;
      const { oldest, maxAgeDays } = store;
      const now = { target: targetNow, library: library.snapshot };
      const earlier = { target: snapshots.target.get, library: snapshots.library.get };
      return whyAskedAgain(heads, { ...key, now, files, oldest, maxAgeDays }, earlier);
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
    const loaded = countedActivations(transcript.activations).filter((activation) => activation.evidence !== "predicted");
    // Skills that are not in the library were staged by the target, and are part of its identity.
    return Object.fromEntries(
      loaded.flatMap(({ skill }) => {
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
    const answer = JSON.parse(body) as CachedAnswer | null;
    return typeof answer?.measuredAt === "string" && answer.transcript?.outcome?.status === "activations" ? answer : undefined;
  } catch {
    return undefined;
  }
}

/** Computes each value once. */
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
