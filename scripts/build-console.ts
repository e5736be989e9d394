import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'vite';
import { consoleFolder, digestSources, markFile } from '#server/console-build.ts';
import { compressConsole } from './compress-console.ts';

const digest = digestSources();
// Built aside and moved into place, so that a build cut short is never served.
const fresh = `${consoleFolder}.${process.pid}`;
mkdirSync(dirname(consoleFolder), { recursive: true });
try {
  await build({ build: { outDir: fresh, emptyOutDir: true }, logLevel: 'warn' });
  compressConsole(fresh);
  writeFileSync(join(fresh, markFile.slice(consoleFolder.length)), digest);
  rmSync(consoleFolder, { recursive: true, force: true });
  renameSync(fresh, consoleFolder);
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
