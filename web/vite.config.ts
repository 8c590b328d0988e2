/// <reference types="vitest/config" />
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Where `baize serve` listens during development. */
const server = process.env.BAIZE_SERVER ?? "http://127.0.0.1:8080";

export default defineConfig({
  plugins: [react()],
  build: {
    target: "es2022",
    // The server's content policy allows no `data:` styles or scripts, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // For scripts/budget.mjs: which files a first load asks for.
    manifest: "manifest.json",
    rolldownOptions: {
      output: {
        // Most of these run at once: compiled while they arrive, not one function after the other when they are called.
        postBanner: ({ name }) => (name === "react" || name === "shell" ? "//# allFunctionsCalledOnLoad" : ""),
        codeSplitting: {
          groups: [
            // In one file that changes only when it does: whoever comes again has it.
            { name: "react", test: /node_modules\/(react|react-dom|scheduler)\//, priority: 2 },
            // What every page begins with, in one file: a browser asks for six at a time, and each waits for its turn.
            { name: "shell", test: /src\/main\.tsx$/, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    proxy: {
      "/api": { target: server, ws: true },
    },
  },
  test: { include: ["src/**/*.test.ts", "src/**/*.test.tsx"] },
});
