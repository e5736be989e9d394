import module from 'node:module';
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadSettings } from './exports/thread-words.ts';

// The thread of exports, started by export-thread.ts. Compiled code is looked for before anything of it is loaded.
const { compileCache, config }: ThreadSettings = workerData;
if (compileCache !== undefined) module.enableCompileCache(compileCache);
const { serveExports } = await import('./serve-exports.ts');
if (!parentPort) throw new Error('the thread of exports is no program of its own');
/** Half of what a job in the background has: a list beside an export hardly waits, and a file is sooner done (decision 0960). */
const GIVES_WAY = 5;
// Of this thread alone, on Linux: it always has something to do, and whoever looks at a list would wait for a processor as long as it does.
// Not while it loads: on a machine without a free processor that would take longer than its first caller waits.
if (process.platform === 'linux') setPriority(GIVES_WAY);
// A secret is no Buffer any more after its way between threads.
serveExports(parentPort, { ...config, secret: Buffer.from(config.secret) });
