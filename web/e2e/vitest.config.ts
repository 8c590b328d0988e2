/** Tests in a real browser against a real server: `npm run e2e`. See "In a real browser" in the README. */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  test: {
    include: ["*.test.ts"],
    globalSetup: ["./support/global.ts"],
    setupFiles: ["./support/failureReport.ts"],
    // Two files at a time: each opens several windows, and the server needs a core too.
    maxWorkers: 2,
    // Generous, for a busy machine; these tests do not measure speed.
    testTimeout: 240_000,
    // On a busy machine a browser is sometimes late. The report says which test was tried twice.
    retry: 1,
    hookTimeout: 120_000,
    // A wait may include a reconnect.
    expect: { poll: { timeout: 20_000, interval: 50 } },
  },
});
