// Runs a TypeScript file of this project under Node 24, whatever Node the machine has: `node scripts/launch.mjs [Node's options] server/main.ts`.
// Plain JavaScript, since it must run under the machine's own Node (20 or later).
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { constants } from 'node:os';
import { resolve } from 'node:path';
import process, { arch, argv, env, exit, platform, versions } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const NEEDED_MAJOR = 24;
const LAUNCHED = 'BACK_OFFICE_LAUNCHED';
const PARENT_CHECK_MS = 250;

/** The Node that npm installed with the project; the second place is filled even when install scripts are switched off. */
function installedNode() {
  const system = platform === 'win32' ? 'win' : platform;
  const program = platform === 'win32' ? 'node.exe' : 'node';
  return [`node/bin/${program}`, `node-${system}-${arch}/bin/${program}`]
    .map((path) => resolve(root, 'node_modules', path))
    .find((path) => existsSync(path));
}

/** The program to run under; undefined when this process itself will do. */
function findNode() {
  if (Number(versions.node.split('.')[0]) >= NEEDED_MAJOR) return undefined;
  const installed = installedNode();
  if (installed) return installed;
  console.error(
    `需要 Node.js ${NEEDED_MAJOR} 或更高版本（当前是 ${versions.node}）。请先运行 npm ci，或升级 Node.js。`,
  );
  return exit(1);
}

/** When npm (or the launching process) is killed outright, nobody is left to end what it started. */
function endWithParent(end) {
  if (!env[LAUNCHED] && !env.npm_lifecycle_event) return;
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && end(), PARENT_CHECK_MS).unref();
}

/** Runs Node 24 with these arguments; ends as it ends, and hands signals on to it. */
function runUnder(node, args) {
  const child = spawn(node, args, { stdio: 'inherit', env: { ...env, [LAUNCHED]: '1' } });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  endWithParent(() => child.kill('SIGTERM'));
  child.on('error', (error) => {
    console.error(`无法运行 ${node}：${error.message}`);
    exit(1);
  });
  child.on('exit', (code, signal) => exit(code ?? 128 + constants.signals[signal]));
}

// Options before the file are Node's own, which only a new process takes.
const given = argv.slice(2);
const place = given.findIndex((argument) => !argument.startsWith('--'));
const options = given.slice(0, place);
const [file = '', ...args] = given.slice(place);
const path = resolve(root, file);
const node = findNode() ?? (options.length > 0 ? process.execPath : undefined);
if (node) runUnder(node, [...options, fileURLToPath(import.meta.url), path, ...args]);
else {
  endWithParent(() => process.kill(process.pid, 'SIGTERM'));
  // Compiled code is kept, which saves a third of the start; beside the packages, where only their owner can write.
  module.enableCompileCache?.(resolve(root, 'node_modules/.cache/compile'));
  argv.splice(1, argv.length, path, ...args);
  await import(pathToFileURL(path).href);
}
