// Writes a gzipped and a brotli copy next to each built file that becomes smaller by it; the server sends them to
// browsers that accept them.
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const TEXT = /\.(html|js|css|svg|json|webmanifest)$/;

// Only `budget.mjs` needs the manifest.
await rm("dist/manifest.json", { force: true });
for (const entry of await readdir("dist", { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath ?? entry.path, entry.name);
  if (!entry.isFile() || !TEXT.test(path)) continue;
  const body = await readFile(path);
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: body.length } };
  for (const [ending, packed] of [
    [".gz", gzipSync(body, { level: 9 })],
    [".br", brotliCompressSync(body, quality)],
  ]) {
    if (packed.length < body.length * 0.9) await writeFile(path + ending, packed);
  }
}
