/** Tests in a real browser against a real server: `npm run e2e`. See "In a real browser" in the README. */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  test: {
    include: ["*.test.ts"],
    globalSetup: ["./support/global.ts"],
    setupFiles: ["./support/evidence.ts"],
    // Two tables at a time: each has several windows, and the server needs a core too.
    maxWorkers: 2,
    // For a machine that is busy with other things; nothing here is about speed.
    testTimeout: 240_000,
    // A browser among others on a busy machine now and then misses a beat; the report says which test was tried twice.
    retry: 1,
    hookTimeout: 120_000,
    // What is waited for may take a reconnect.
    expect: { poll: { timeout: 20_000, interval: 50 } },
  },
});
