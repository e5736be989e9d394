import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

// The server restarts on a change, the console is served by vite with hot reload at http://localhost:5173.
const root = fileURLToPath(new URL('..', import.meta.url));
const run = (...args: string[]) => spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });

const children = [run('--watch', 'server/main.ts'), run('node_modules/vite/bin/vite.js')];
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    for (const child of children) child.kill(signal);
  });
for (const child of children)
  child.on('exit', () => children.every(({ exitCode }) => exitCode !== null) && process.exit());
