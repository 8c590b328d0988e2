/// <reference types="vitest/config" />
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/** Where `baize serve` listens during development. */
const server = process.env.BAIZE_SERVER ?? "http://127.0.0.1:8080";

/** The chunks that a page needs beside those of the document, by the name of the tag that tells them. */
const FILES_OF_PAGES = {
  "home-file": ["Home", "home", "GamePicture"],
  "table-file": ["Invitation", "GamePicture", "table"],
};

/**
 * Names the scripts and styles of single pages in the document. The server tells browsers to fetch them together with
 * the document (`crates/server/src/http/pages.rs`), but only where that page comes first.
 */
const nameFilesOfPages: Plugin = {
  name: "name-files-of-pages",
  transformIndexHtml: {
    order: "post",
    handler(_, { bundle = {} }) {
      const tag = (name: string, wanted: string[]) => {
        const files = Object.values(bundle).flatMap((chunk) => {
          if (chunk.type !== "chunk" || !wanted.includes(chunk.name)) return [];
          return [chunk.fileName, ...(chunk.viteMetadata?.importedCss ?? [])];
        });
        return [...new Set(files)].map((file) => ({ tag: "meta", attrs: { name, content: `/${file}` } }));
      };
      return Object.entries(FILES_OF_PAGES).flatMap(([name, wanted]) => tag(name, wanted));
    },
  },
};

export default defineConfig({
  plugins: [react(), nameFilesOfPages],
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
            {
              name: "shell",
              test: /src\/(main\.tsx|home\/(choices|playNow|facts)\b|panel\/panel\.css|(text|protocol)\/(?!\w+Catalogue|connection)|shell\/(?!ConnectedTable|Invitation|Problems|Fields|SidePanel|ConfirmDialog|SitDown))/,
              priority: 1,
            },
            // So is what every table needs: one file is smaller than the same code in pieces.
            { name: "table", test: /src\/shell\/ConnectedTable\.tsx$/ },
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
