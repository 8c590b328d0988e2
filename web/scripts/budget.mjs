// The weight of the first load: JavaScript that index.html asks for, gzipped. Fails above the budget.
import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";

const BUDGET = 130 * 1024;
const page = await readFile("dist/index.html", "utf8");
const files = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map((match) => match[1]);
let total = 0;
for (const file of files) {
  const size = gzipSync(await readFile(`dist${file}`)).length;
  total += size;
  console.log(`${(size / 1024).toFixed(1).padStart(8)} KB  ${file}`);
}
console.log(`${(total / 1024).toFixed(1).padStart(8)} KB of ${BUDGET / 1024} KB`);
if (files.length === 0 || total > BUDGET) process.exit(1);
