// Measures the gzipped scripts of a first load, for the first page and for a table, and fails above the budget. Parts
// that are loaded later (replay, QR code, fairness check) are not counted.
import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";

const BUDGET = 130 * 1024;

const manifest = JSON.parse(await readFile("dist/manifest.json", "utf8"));
// Every page begins with the scripts that the document names.
const firstScripts = [...(await readFile("dist/index.html", "utf8")).matchAll(/src="\/(assets\/[^"]+\.js)"/g)].map(
  ([, file]) => {
    const found = Object.keys(manifest).find((name) => manifest[name].file === file);
    if (!found) throw new Error(`${file} is not in the manifest`);
    return found;
  },
);
const PAGES = { home: firstScripts, table: [...firstScripts, "src/shell/ConnectedTable.tsx"] };

const sizes = new Map();
for (const { file } of Object.values(manifest)) {
  if (file.endsWith(".js")) sizes.set(file, gzipSync(await readFile(`dist/${file}`)).length);
}

/** A chunk and everything that it imports at once. */
function filesOf(name, found = new Set()) {
  const chunk = manifest[name];
  if (!chunk) throw new Error(`${name} is not in the manifest`);
  if (found.has(chunk.file)) return found;
  found.add(chunk.file);
  for (const other of chunk.imports ?? []) filesOf(other, found);
  return found;
}

let over = false;
for (const [page, entries] of Object.entries(PAGES)) {
  const files = entries.reduce((found, name) => filesOf(name, found), new Set());
  const total = [...files].reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0);
  console.log(`${(total / 1024).toFixed(1).padStart(8)} KB of ${BUDGET / 1024} KB  ${page}`);
  over ||= total === 0 || total > BUDGET;
}
if (over) process.exit(1);
