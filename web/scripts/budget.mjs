// Measures the gzipped scripts of a first load, for the first page, a lobby and a table, and fails above the budget. Parts
// that are loaded later (replay, QR code, fairness check) are not counted.
import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";

const BUDGET = 130 * 1024;

const manifest = JSON.parse(await readFile("dist/manifest.json", "utf8"));
const chunks = Object.entries(manifest).filter(([, { file }]) => file.endsWith(".js"));
/** The key of a chunk in the manifest, by the chunk's name. */
const keyOf = (name) => {
  const found = chunks.find(([, chunk]) => chunk.name === name);
  if (!found) throw new Error(`there is no chunk ${name}`);
  return found[0];
};
// Every page begins with the scripts that the document names.
const firstScripts = [...(await readFile("dist/index.html", "utf8")).matchAll(/src="\/(assets\/[^"]+\.js)"/g)].map(
  ([, file]) => chunks.find(([, chunk]) => chunk.file === file)?.[0] ?? file,
);
const PAGES = {
  home: [...firstScripts, keyOf("Home")],
  lobby: [...firstScripts, keyOf("table"), keyOf("Lobby")],
  table: [...firstScripts, keyOf("table")],
};

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
