// Puts the licence texts of everything that is part of the built client (libraries and the font) beside it: dist/licences.txt.
// Their licences ask for that of whoever hands out copies, and a server hands one to every visitor.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const { packages } = JSON.parse(await readFile("package-lock.json", "utf8"));
const parts = [];
for (const [path, { version, license, dev }] of Object.entries(packages)) {
  // The first entry is ours; packages for development are not in the client.
  if (path === "" || dev) continue;
  const name = path.replace(/^.*node_modules\//, "");
  const file = (await readdir(path)).find((name) => /^licen[cs]e/i.test(name));
  if (!file) throw new Error(`${name} has no licence text`);
  const text = await readFile(join(path, file), "utf8");
  parts.push(`${name} ${version} (${license})\n\n${text.trim()}\n`);
}
const line = `\n${"=".repeat(80)}\n\n`;
await writeFile("dist/licences.txt", `The browser client contains:\n${line}${parts.join(line)}`);
