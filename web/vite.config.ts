/// <reference types="vitest/config" />
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Where `baize serve` listens during development. */
const server = process.env.BAIZE_SERVER ?? "http://127.0.0.1:8080";

export default defineConfig({
  plugins: [react()],
  build: {
    target: "es2022",
    // The server's content security policy allows no `data:` styles or scripts, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // `scripts/budget.mjs` reads which files a first load needs.
    manifest: "manifest.json",
    rolldownOptions: {
      output: {
        // Most functions of these files run at once, so the browser compiles them while they arrive.
        postBanner: ({ name }) => (name === "react" || name === "shell" ? "//# allFunctionsCalledOnLoad" : ""),
        codeSplitting: {
          groups: [
            // React is one file that rarely changes, so a returning browser has it in its cache.
            { name: "react", test: /node_modules\/(react|react-dom|scheduler)\//, priority: 2 },
            // What every page needs first is one file, because a browser fetches only six files at a time.
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
