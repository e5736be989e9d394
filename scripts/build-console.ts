import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'vite';
import { inEnglish } from '#console/in-english.ts';
import { consoleFolder, digestSources, markFile, pageIn } from '#server/console-build.ts';
import { compressConsole } from './compress-console.ts';

const digest = digestSources();
// Built aside and moved into place, so that a build cut short is never served.
const fresh = `${consoleFolder}.${process.pid}`;
const english = `${fresh}.en`;
mkdirSync(dirname(consoleFolder), { recursive: true });
try {
  await build({ build: { outDir: fresh, emptyOutDir: true, reportCompressedSize: false }, logLevel: 'warn' });
  const plugins = [inEnglish()];
  await build({
    plugins,
    build: { outDir: english, emptyOutDir: true, reportCompressedSize: false },
    logLevel: 'warn',
  });
  // Names tell contents: what both have is the same.
  cpSync(join(english, 'assets'), join(fresh, 'assets'), { recursive: true });
  renameSync(join(english, pageIn('zh')), join(fresh, pageIn('en')));
  await compressConsole(fresh);
  writeFileSync(join(fresh, markFile.slice(consoleFolder.length)), digest);
  rmSync(consoleFolder, { recursive: true, force: true });
  renameSync(fresh, consoleFolder);
} finally {
  for (const folder of [fresh, english]) rmSync(folder, { recursive: true, force: true });
}
