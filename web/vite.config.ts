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
    // In one file that changes only when it does: whoever comes again has it.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: "react", test: /node_modules\/(react|react-dom|scheduler)\// }] } },
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
