// Runs a TypeScript file of this project under Node 24, whatever Node the machine has: `node scripts/launch.mjs server/main.ts`.
// Plain JavaScript, since it must run under the machine's own Node (20 or later).
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import module from 'node:module';
import { constants } from 'node:os';
import { resolve } from 'node:path';
import process, { arch, argv, execPath, exit, platform, versions } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const NEEDED_MAJOR = 24;

/** The Node that npm installed with the project; the second place is filled even when install scripts are switched off. */
function installedNode() {
  const system = platform === 'win32' ? 'win' : platform;
  const program = platform === 'win32' ? 'node.exe' : 'node';
  return [`node/bin/${program}`, `node-${system}-${arch}/bin/${program}`]
    .map((path) => resolve(root, 'node_modules', path))
    .find((path) => existsSync(path));
}

const isNewEnough = Number(versions.node.split('.')[0]) >= NEEDED_MAJOR;

/** The program to run under; undefined when this process itself will do. */
export function findNode() {
  const installed = installedNode();
  if (installed && realpathSync(installed) !== realpathSync(execPath)) return installed;
  if (installed || isNewEnough) return undefined;
  console.error(
    `需要 Node.js ${NEEDED_MAJOR} 或更高版本（当前是 ${versions.node}）。请先运行 npm ci，或升级 Node.js。`,
  );
  return exit(1);
}

/** Runs Node 24 with these arguments; ends as it ends, and hands signals on to it. */
export function runUnder(node, args) {
  const child = spawn(node, args, { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    // Ctrl-C reaches the child by itself, being of the same terminal group; a second copy would force it to quit at once.
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.on('error', (error) => {
    console.error(`无法运行 ${node}：${error.message}`);
    exit(1);
  });
  child.on('exit', (code, signal) => exit(code ?? 128 + constants.signals[signal]));
}

/** Runs a file of the project with its arguments. */
async function launch(file, args) {
  const path = resolve(root, file);
  const node = findNode();
  if (node) return runUnder(node, [fileURLToPath(import.meta.url), path, ...args]);
  // Compiled code is kept, which saves a third of the start; beside the packages, where only their owner can write.
  module.enableCompileCache?.(resolve(root, 'node_modules/.cache/compile'));
  argv.splice(1, argv.length, path, ...args);
  return import(pathToFileURL(path).href);
}

if (argv[1] && realpathSync(argv[1]) === realpathSync(fileURLToPath(import.meta.url))) {
  const [file, ...args] = argv.slice(2);
  await launch(file, args);
}
