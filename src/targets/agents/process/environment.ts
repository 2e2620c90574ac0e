/** What a trial may know of the machine: no key, no endpoint, no tool's setting. */
const ALLOWED = [
  ...["PATH", "Path", "PATHEXT", "SystemRoot", "SystemDrive", "windir", "COMSPEC", "NUMBER_OF_PROCESSORS"],
  ...["LANG", "LC_ALL", "LC_CTYPE", "TZ"],
  // Behind a company's proxy nothing works without these.
  ...[
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "NODE_EXTRA_CA_CERTS",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
  ],
];

export function allowedEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  return { ...picked(env, ALLOWED), ...besideProxy(env), NO_COLOR: "1", TERM: "dumb" };
}

/** No proxy can reach an endpoint on this machine. CLIs differ in which spelling they read. */
function besideProxy(env: NodeJS.ProcessEnv): Record<string, string> {
  const given = [env["NO_PROXY"], env["no_proxy"]]
    .flatMap((hosts) => (hosts ?? "").split(","))
    .map((host) => host.trim());
  const hosts = [...new Set([...given.filter((host) => host !== ""), "localhost", "127.0.0.1", "::1"])].join(",");
  return { NO_PROXY: hosts, no_proxy: hosts };
}

export function picked(env: NodeJS.ProcessEnv, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
}
