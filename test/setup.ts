import { afterEach } from "vitest";
import { forgetHidden } from "../src/base/text/output.ts";

// Test files share their worker's modules: what one run hides from the screen must not be hidden in the next test.
afterEach(forgetHidden);
