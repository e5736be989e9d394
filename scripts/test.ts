import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Runs the suites one after the other, all of them whatever fails, and sums them up in a last line.
// Arguments name suites (`unit`, `browser`); none means all.

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

interface Suite {
  name: string;
  /** The runner's program and arguments; `report` is the file it writes its figures to. */
  command: (report: string) => string[];
  environment?: (report: string) => Record<string, string>;
  read: (report: unknown) => Counts;
}

interface UnitReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
}

interface BrowserReport {
  stats: { expected: number; flaky: number; unexpected: number; skipped: number };
}

const root = fileURLToPath(new URL('..', import.meta.url));

const suites: Suite[] = [
  {
    name: 'unit',
    command: (report) => [
      'vitest/vitest.mjs',
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    read: (report) => {
      const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = report as UnitReport;
      return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests };
    },
  },
  {
    name: 'browser',
    command: () => ['@playwright/test/cli.js', 'test', '--reporter=list,json'],
    environment: (report) => ({ PLAYWRIGHT_JSON_OUTPUT_NAME: report }),
    read: (report) => {
      const { stats } = report as BrowserReport;
      return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped };
    },
  },
];

const exitOf = (program: string[], env: NodeJS.ProcessEnv): Promise<number> =>
  new Promise((resolve) => {
    const [script = '', ...args] = program;
    const path = join(root, 'node_modules', script);
    const child = spawn(process.execPath, [path, ...args], { cwd: root, env, stdio: 'inherit' });
    child.on('error', () => resolve(1));
    child.on('exit', (code) => resolve(code ?? 1));
  });

async function run({ name, command, environment, read }: Suite): Promise<Counts> {
  const folder = mkdtempSync(join(tmpdir(), 'back-office-report-'));
  const report = join(folder, `${name}.json`);
  const code = await exitOf(command(report), { ...process.env, ...environment?.(report) });
  let counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  try {
    counts = read(JSON.parse(readFileSync(report, 'utf8')));
  } catch {
    // A runner that broke before it could report has failed as a whole.
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  // A file that does not load, or an error between tests, is a failure that no test counts.
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  return counts;
}

const wanted = process.argv.slice(2);
const total: Counts = { passed: 0, failed: 0, skipped: 0 };
for (const suite of suites.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  const { passed, failed, skipped } = await run(suite);
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
}
console.log(`tests: ${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
