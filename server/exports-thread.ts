import module from 'node:module';
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadSettings } from './exports/thread-words.ts';

// The thread of exports, started by export-thread.ts. Compiled code is looked for before anything of it is loaded.
const { compileCache, config }: ThreadSettings = workerData;
if (compileCache !== undefined) module.enableCompileCache(compileCache);
const { serveExports } = await import('./serve-exports.ts');
if (!parentPort) throw new Error('the thread of exports is no program of its own');
// Of this thread alone, on Linux: it always has something to do, and whoever looks at a list would wait for a processor as long as it does.
// Not while it loads: on a machine without a free processor that would take longer than its first caller waits.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
// A secret is no Buffer any more after its way between threads.
serveExports(parentPort, { ...config, secret: Buffer.from(config.secret) });
