import { connect } from "node:net";
import { isThisMachine } from "./this-machine.ts";

export interface LocalServer {
  provider: string;
  title: string;
  endpoint: string;
  models: string[];
}

interface ServerKind {
  provider: string;
  title: string;
  variable: string;
  home: string;
  list: string;
  modelsIn(body: unknown): string[];
}

const KINDS: readonly ServerKind[] = [
  {
    provider: "ollama",
    title: "Ollama",
    variable: "OLLAMA_BASE_URL",
    home: "http://127.0.0.1:11434/v1",
    list: "../api/tags",
    // Those with a `remote_host` run on its makers' machines, for a fee.
    modelsIn: (body) =>
      namesIn(body, "models", "name", ({ remote_host: remote }) => remote === undefined || remote === ""),
  },
  {
    provider: "lmstudio",
    title: "LM Studio",
    variable: "LMSTUDIO_BASE_URL",
    home: "http://127.0.0.1:1234/v1",
    list: "models",
    modelsIn: (body) => namesIn(body, "data", "id"),
  },
  {
    provider: "llamacpp",
    title: "llama.cpp",
    variable: "LLAMACPP_BASE_URL",
    home: "http://127.0.0.1:8080/v1",
    list: "models",
    // Many others use this port; some of them pass requests on to providers that charge for it.
    modelsIn: (body) => namesIn(body, "data", "id", ({ owned_by: owner }) => owner === "llamacpp"),
  },
  {
    provider: "vllm",
    title: "vLLM",
    variable: "VLLM_BASE_URL",
    home: "http://127.0.0.1:8000/v1",
    list: "models",
    modelsIn: (body) => namesIn(body, "data", "id", ({ owned_by: owner }) => owner === "vllm"),
  },
];

const PROBE_MS = 1_500;
const MOST_CHARACTERS = 1_000_000;

/** Asks the usual ports of this machine. Nothing leaves it, and no model is run. */
export async function findLocalServers(env: NodeJS.ProcessEnv, probeMs = PROBE_MS): Promise<LocalServer[]> {
  const found = await Promise.all(KINDS.map((kind) => probe(kind, env, probeMs)));
  return found.filter((server) => server !== undefined);
}

async function probe(
  { provider, title, variable, home, list, modelsIn }: ServerKind,
  env: NodeJS.ProcessEnv,
  probeMs: number,
): Promise<LocalServer | undefined> {
  const endpoint = env[variable] || home;
  try {
    const url = new URL(list, `${endpoint.replace(/\/+$/, "")}/`);
    if (!isThisMachine(url)) return undefined;
    const response = await fetch(url, { signal: AbortSignal.timeout(probeMs), redirect: "error" });
    if (!response.ok) return undefined;
    const text = await response.text();
    if (text.length > MOST_CHARACTERS) return undefined;
    const models = modelsIn(JSON.parse(text)).filter((model) => !EMBEDS.test(model));
    return models.length === 0 ? undefined : { provider, title, endpoint, models };
  } catch {
    // Nobody there, or somebody else.
    return undefined;
  }
}

const PATIENCE_MS = 3_000;

/** What to do if a local model server is not running; undefined if it is, or if it is not local. */
export async function notRunning(endpoint: string | undefined): Promise<string | undefined> {
  if (endpoint === undefined || !URL.canParse(endpoint)) return undefined;
  const url = new URL(endpoint);
  if (!isThisMachine(url)) return undefined;
  const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
  return (await isOpen(url.hostname.replace(/[[\]]/g, ""), port))
    ? undefined
    : `nothing answers at ${url.origin}. Start the model server, or correct its address.`;
}

function isOpen(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: PATIENCE_MS });
    const end = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
    socket.once("timeout", () => end(false));
  });
}

const EMBEDS = /embed|minilm|\bbge\b|rerank/i;

type ListedModel = Record<string, unknown>;

function namesIn(
  body: unknown,
  list: string,
  key: string,
  isOurs: (item: ListedModel) => boolean = () => true,
): string[] {
  const items = (body as ListedModel | null)?.[list];
  if (!Array.isArray(items)) return [];
  return (items as (ListedModel | null)[]).flatMap((item) => {
    const name = item?.[key];
    if (typeof name !== "string" || !isOurs(item ?? {})) return [];
    const short = fileName(name);
    return /^[\w.:/@+-]{1,120}$/.test(short) ? [short] : [];
  });
}

/** llama.cpp names its one model by file path, and answers to any name. */
function fileName(name: string): string {
  return /\.gguf$/i.test(name) ? (name.split(/[\\/]/).at(-1) ?? name).replace(/[^\w.:@+-]+/g, "-") : name;
}
