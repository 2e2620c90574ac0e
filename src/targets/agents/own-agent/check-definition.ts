import { isAbsolute } from "node:path";
import { nearest, UsageError } from "../../../base/index.ts";
import type { LaunchPlan } from "../../../hosts/index.ts";
import type { AgentDefinition, Sighting } from "./definition.ts";
import { WrongReturn } from "./definition-fault.ts";

interface MemberCheck {
  is(value: unknown): boolean;
  what: string;
  needed?: true;
}

const isText = (value: unknown): value is string => typeof value === "string";
const isFilled = (value: unknown): value is string => isText(value) && value !== "";
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);
const isFlag = (value: unknown): value is boolean => typeof value === "boolean";
const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
const isFunction = (value: unknown): boolean => typeof value === "function";
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isInside = (path: unknown) =>
  isFilled(path) && !isAbsolute(path) && !/^[a-z]:/i.test(path) && !path.split(/[\\/]/).includes("..");

const definition: Record<keyof AgentDefinition, MemberCheck> = {
  name: {
    is: (value) => isText(value) && /^[\w.-]+$/.test(value),
    what: 'a name of letters, digits, "-", "_" and ".", like "my-agent"',
    needed: true,
  },
  command: { is: isFilled, what: 'an executable on PATH, or a path to one, like "my-agent"', needed: true },
  skillsDir: { is: isInside, what: 'a folder inside the workspace, like ".my-agent/skills"', needed: true },
  launch: { is: isFunction, what: "a function (trial) => ({ args, env, stdin })", needed: true },
  events: {
    is: isFunction,
    what: "a function (line) => [ … ] that says what a line of its output shows",
    needed: true,
  },
  session: { is: isFunction, what: "a function (line) => the session's id, where a line of its output names it" },
  resume: { is: isFunction, what: "a function (trial, session) => ({ args, env, stdin }) that continues the session" },
  contextFiles: {
    is: (value) => isTexts(value) && value.every(isInside),
    what: 'a list of files at the root of a project, like ["AGENTS.md"]',
  },
  model: { is: isFilled, what: "the name of a model" },
  install: { is: isFilled, what: 'a command that installs it, like "npm install -g my-agent"' },
  keys: { is: isTexts, what: 'a list of names of variables, like ["MY_AGENT_KEY"]' },
  revision: { is: isNumber, what: "a number that you raise when the agent changes" },
  sources: { is: isTexts, what: 'a list of files or globs beside the definition, like ["prompts/*.txt"]' },
  readOnly: { is: isFlag, what: "true or false" },
};

const plan: Record<keyof LaunchPlan, MemberCheck> = {
  args: { is: isTexts, what: "a list of strings", needed: true },
  env: {
    is: (value) => isObject(value) && Object.values(value).every(isText),
    what: "an object of strings, {} for none",
    needed: true,
  },
  stdin: { is: isText, what: "a text" },
  files: { is: isFiles, what: 'a list of { path, content }, paths relative to HOME, like ".my-agent/config.json"' },
  writable: { is: isTexts, what: "a list of folders" },
};

const common = {
  type: { is: isText, what: "a text", needed: true },
  agent: { is: isFilled, what: "the name of a sub-agent" },
} as const;
const id: MemberCheck = { is: isFilled, what: "the text that its call and its result share", needed: true };
const sightings: { [T in Sighting["type"]]: Record<string, MemberCheck> } = {
  text: { ...common, text: { is: isText, what: "a text", needed: true } },
  call: {
    ...common,
    id,
    tool: { is: isFilled, what: "the name of the tool", needed: true },
    input: { is: () => true, what: "anything" },
    skill: { is: isText, what: "the name its skill tool was given" },
    file: { is: isText, what: "the path it opens" },
    shell: { is: isText, what: "the command line it runs" },
  },
  result: {
    ...common,
    id,
    ok: { is: isFlag, what: "true or false", needed: true },
    text: { is: isText, what: "a text" },
  },
  end: {
    ...common,
    usage: {
      is: (value) => isObject(value) && Object.values(value).every(isCount),
      what: "{ inputTokens, outputTokens, … }, all numbers",
    },
    costUsd: { is: isNumber, what: "a number of dollars" },
    error: { is: isError, what: "{ message } or { status, message }" },
  },
};

export function checkDefinition(value: unknown): asserts value is AgentDefinition {
  const fault = faultIn(value, definition) ?? loneMember(value as AgentDefinition);
  if (fault !== undefined)
    throw new UsageError(
      `In defineAgent(…) ${sentence(fault)}`,
      "docs/agents.md, An agent of your own, shows every member.",
    );
}

/** A session id is useless without a way to resume it. */
function loneMember({ session, resume }: AgentDefinition): string | undefined {
  if ((session === undefined) === (resume === undefined)) return undefined;
  const [there, missing] = session === undefined ? ["resume", "session"] : ["session", "resume"];
  return `there is \`${there}\` and no \`${missing}\`: a case of several messages needs both`;
}

export function checkedSession(value: unknown): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (!isText(value))
    throw new WrongReturn(`it should return a string, or undefined where there is none, but returned ${told(value)}`);
  return value;
}

export function checkedPlan(value: unknown): LaunchPlan {
  const fault = faultIn(value, plan);
  if (fault !== undefined) throw new WrongReturn(`what it returned is not a plan: ${sentence(fault)}`);
  return value as LaunchPlan;
}

export function checkedSightings(value: unknown): Sighting[] {
  if (!Array.isArray(value))
    throw new WrongReturn(`it should return a list, [] for nothing, but returned ${told(value)}`);
  for (const one of value) {
    const type = isObject(one) ? one["type"] : undefined;
    if (!isText(type) || !Object.hasOwn(sightings, type))
      throw new WrongReturn(
        `it returned ${told(one)}, but \`type\` should be one of ${Object.keys(sightings).join(", ")}`,
      );
    const fault = faultIn(one, sightings[type as Sighting["type"]]);
    if (fault !== undefined) throw new WrongReturn(`it returned a \`${type}\`: ${sentence(fault)}`);
  }
  return (value as Sighting[]).map(withoutNulls);
}

function withoutNulls(sighting: Sighting): Sighting {
  return Object.fromEntries(Object.entries(sighting).filter(([, value]) => value !== null)) as Sighting;
}

function isFiles(value: unknown): boolean {
  return (
    Array.isArray(value) && value.every((file) => isObject(file) && isInside(file["path"]) && isText(file["content"]))
  );
}

function isCount(value: unknown): boolean {
  return value === undefined || isNumber(value);
}

function isError(value: unknown): boolean {
  return isObject(value) && isText(value["message"]) && (value["status"] === undefined || isNumber(value["status"]));
}

function sentence(text: string): string {
  return /[.?]$/.test(text) ? text : `${text}.`;
}

/** Undefined and null members count as absent. */
function faultIn(value: unknown, shape: Record<string, MemberCheck>): string | undefined {
  if (!isObject(value) || value instanceof Promise) return `it should be an object, but is ${told(value)}`;
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(shape, name));
  if (unknown !== undefined) {
    const near = nearest(unknown, Object.keys(shape))[0];
    const help = near === undefined ? `; there are ${Object.keys(shape).join(", ")}` : `. Did you mean \`${near}\`?`;
    return `it has no member \`${unknown}\`${help}`;
  }
  for (const [name, { is, what, needed }] of Object.entries(shape)) {
    const member = value[name];
    if (member === undefined || member === null) {
      if (needed) return `\`${name}\` is missing: it should be ${what}`;
    } else if (!is(member)) return `\`${name}\` should be ${what}, but is ${told(member)}`;
  }
  return undefined;
}

function told(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "function") return "a function";
  if (value instanceof Promise) return "a promise: it must not be async";
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
