import { describe, expect, test } from "vitest";
import { allowedEnvironment } from "../../../../src/targets/agents/process/environment.ts";

describe("the environment of a trial", () => {
  test("has nothing that was not allowed", () => {
    expect(allowedEnvironment({ PATH: "/bin", ANTHROPIC_MODEL: "x", NODE_OPTIONS: "--require evil" })).toEqual({
      PATH: "/bin",
      NO_PROXY: "localhost,127.0.0.1,::1",
      no_proxy: "localhost,127.0.0.1,::1",
      NO_COLOR: "1",
      TERM: "dumb",
    });
  });

  test("sends nothing for this machine through a proxy, whatever else is kept from it", () => {
    const { HTTP_PROXY, NO_PROXY, no_proxy } = allowedEnvironment({
      HTTP_PROXY: "http://proxy.example:3128",
      NO_PROXY: "intern.example, localhost",
      no_proxy: "other.example",
    });
    expect({ HTTP_PROXY, NO_PROXY, no_proxy }).toEqual({
      HTTP_PROXY: "http://proxy.example:3128",
      NO_PROXY: "intern.example,localhost,other.example,127.0.0.1,::1",
      no_proxy: "intern.example,localhost,other.example,127.0.0.1,::1",
    });
  });
});
