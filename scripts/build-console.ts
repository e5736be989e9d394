import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { consoleFolder, digestSources, markFile } from '#server/console-build.ts';

const WORTH_COMPRESSING_BYTES = 1_024;

/** Compressed once here rather than on every request. */
function compressAll(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(js|css|svg|json|txt)$/.test(name)) continue;
    const file = join(folder, name);
    const content = readFileSync(file);
    if (content.length < WORTH_COMPRESSING_BYTES) continue;
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
    writeFileSync(
      `${file}.br`,
      brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    );
  }
}

const digest = digestSources();
// Built aside and moved into place, so that a build cut short is never served.
const fresh = `${consoleFolder}.${process.pid}`;
mkdirSync(dirname(consoleFolder), { recursive: true });
try {
  await build({ build: { outDir: fresh, emptyOutDir: true }, logLevel: 'warn' });
  compressAll(fresh);
  writeFileSync(join(fresh, markFile.slice(consoleFolder.length)), digest);
  rmSync(consoleFolder, { recursive: true, force: true });
  renameSync(fresh, consoleFolder);
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
