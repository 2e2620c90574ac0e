import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { VERSION } from "../../src/base/index.ts";
import { allOptions } from "../../src/base/options/index.ts";
import { keys } from "../../src/fleet/wire/messages.ts";
import { pinnedVersion } from "../agents/install.ts";

const read = (name: string) => readFileSync(`deploy/${name}`, "utf8");

test("the image has the very CLIs that are tested", () => {
  const pinned = [...read("Dockerfile").matchAll(/^ARG ([A-Z]+)=(\S+)$/gm)].map(([, name = "", version]) => [
    name.toLowerCase(),
    version,
  ]);
  expect(pinned).toHaveLength(4);
  for (const [name = "", version] of pinned) expect(version, name).toBe(pinnedVersion(name));
});

test("what the image makes itself, and what is private, is not sent to its build", () => {
  expect(read("Dockerfile.dockerignore").split("\n")).toEqual(
    expect.arrayContaining(["**/node_modules", "dist", ".git", "**/.proctor", "**/.env*"]),
  );
});

test("the compose file starts a Redis that keeps what it holds, and three workers that know it", () => {
  const { services } = parse(read("compose.yaml"));
  expect(services.redis.command).toEqual(
    expect.arrayContaining(["--appendonly", "yes", "--maxmemory-policy", "noeviction", "--requirepass"]),
  );
  expect(services.worker.deploy.replicas).toBe(3);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: Compose fills it in
  expect(services.worker.environment.PROCTOR_WORKERS).toBe("redis://:${REDIS_PASSWORD:?}@redis:6379");
  expect(services.worker.build.dockerfile).toBe("deploy/Dockerfile");
});

test("the manifest scales by the list that runs keep", () => {
  const [deployment, scaled] = parseAllDocuments(read("kubernetes.yaml")).map((document) => document.toJS());
  expect(scaled.spec.triggers[0].metadata.listName).toBe(keys.wanted);
  expect(scaled.spec.scaleTargetRef.name).toBe(deployment.metadata.name);
  const [{ image, env }] = deployment.spec.template.spec.containers;
  expect(image).toBe(`proctor-worker:${VERSION}`);
  expect(scaled.spec.triggers[0].metadata.listLength).toBe(
    env.find(({ name }: { name: string }) => name === "PROCTOR_JOBS").value,
  );
});

test("nothing runs as root, and a container gets longer to end than a trial takes by default", () => {
  const dockerfile = read("Dockerfile");
  expect(dockerfile.match(/^FROM \S+:(\S+)/m)?.[1]).not.toBe("latest");
  // Whatever follows it, the worker among it, is the user's.
  expect(dockerfile.lastIndexOf("USER node")).toBeGreaterThan(dockerfile.lastIndexOf("RUN "));
  expect(dockerfile).toMatch(/^ENTRYPOINT \["tini", "--", "worker\.sh"\]$/m);
  const [deployment] = parseAllDocuments(read("kubernetes.yaml")).map((document) => document.toJS());
  const pod = deployment.spec.template.spec;
  expect(pod.securityContext.runAsNonRoot).toBe(true);
  expect(pod.containers[0].securityContext).toMatchObject({
    allowPrivilegeEscalation: false,
    capabilities: { drop: ["ALL"] },
  });
  const limit = allOptions.find(({ name }) => name === "timeoutSeconds")?.default;
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(Number(limit));
  expect(parse(read("compose.yaml")).services.worker.stop_grace_period).toBe(
    `${pod.terminationGracePeriodSeconds / 60}m`,
  );
});

test("what the entry point asks for is what the compose file and the manifest give", () => {
  const asked = [...read("worker.sh").matchAll(/\$\{?(PROCTOR_[A-Z_]+)/g)].map(([, name]) => name);
  const given = Object.keys(parse(read("compose.yaml")).services.worker.environment);
  const manifest = read("kubernetes.yaml");
  for (const name of new Set(asked)) if (name !== "PROCTOR_WORKER_NAME") expect(given).toContain(name);
  for (const name of new Set(asked)) expect(manifest).toContain(name);
});
