import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureConsole } from '#server/console-build.ts';
import { type Counts, REPEATED, shortened } from './counts.ts';

// Runs the suites one after the other, all of them whatever fails, tells what failed once more, and sums them up in a last line.
// What failed stands at the end because whoever reads a long log, or only its last part, looks there.
// Arguments name suites (`unit`, `browser`); none means all.

interface Suite {
  name: string;
  /** The runner's program and arguments. */
  command: string[];
  /** The variable that names the file it writes its figures to. */
  report: string;
  read: (report: unknown) => Counts;
}

interface BrowserSuite {
  title: string;
  suites?: BrowserSuite[];
  specs?: {
    title: string;
    file: string;
    ok: boolean;
    tests: { status: string; results: { errors: { message?: string }[] }[] }[];
  }[];
}

interface BrowserReport {
  stats: { expected: number; flaky: number; unexpected: number; skipped: number };
  suites: BrowserSuite[];
}

const root = fileURLToPath(new URL('..', import.meta.url));

/** The journeys that failed, and those that passed only when they were repeated. */
const failedJourneys = ({ specs = [], suites: inner = [] }: BrowserSuite): string[] => [
  ...specs.flatMap(({ title, file, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ status, results }) => {
        const said = results.flatMap(({ errors }) => errors.map(({ message }) => message ?? '')).join('\n');
        return `${file} > ${title}${status === 'flaky' ? REPEATED : ''}\n${shortened(said)}`;
      }),
  ),
  ...inner.flatMap(failedJourneys),
];

const suites: Suite[] = [
  {
    name: 'unit',
    command: ['vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=./scripts/unit-report.ts'],
    report: 'UNIT_REPORT',
    read: (report) => report as Counts,
  },
  {
    name: 'browser',
    command: ['@playwright/test/cli.js', 'test', '--reporter=list,json'],
    report: 'PLAYWRIGHT_JSON_OUTPUT_NAME',
    read: (report) => {
      const { stats, suites: files } = report as BrowserReport;
      return {
        passed: stats.expected + stats.flaky,
        failed: stats.unexpected,
        skipped: stats.skipped,
        failures: files.flatMap(failedJourneys),
        unfinished: [],
      };
    },
  },
];

const MEMORY_FOLDER = '/dev/shm';
const TMPFS = 0x01021994;
const GIB = 2 ** 30;

/**
 * Where temporary files go: into memory, if there is such a folder with room. Nearly every file of tests has a database cloned for
 * itself, of more than a thousand files, which takes five times as long on a disk. A TMPDIR that is set stays.
 */
function temporaryFolder(): { TMPDIR?: string } {
  if (process.env.TMPDIR || !existsSync(MEMORY_FOLDER)) return {};
  const { type, bavail, bsize } = statfsSync(MEMORY_FOLDER);
  const roomy = type === TMPFS && bavail * bsize >= 2 * GIB && process.availableMemory() >= 4 * GIB;
  return roomy ? { TMPDIR: MEMORY_FOLDER } : {};
}

const exitOf = (program: string[], env: NodeJS.ProcessEnv): Promise<number> =>
  new Promise((resolve) => {
    const [script = '', ...args] = program;
    const path = join(root, 'node_modules', script);
    const child = spawn(process.execPath, [path, ...args], { cwd: root, env, stdio: 'inherit' });
    child.on('error', () => resolve(1));
    child.on('exit', (code) => resolve(code ?? 1));
  });

/** Runs a suite, or only these files of it. */
async function runOnce({ name, command, report: variable, read }: Suite, files: string[]): Promise<Counts> {
  const folder = mkdtempSync(join(tmpdir(), 'back-office-report-'));
  const report = join(folder, `${name}.json`);
  const code = await exitOf([...command, ...files], {
    ...process.env,
    ...temporaryFolder(),
    [variable]: report,
  });
  let counts: Counts = { passed: 0, failed: 0, skipped: 0, failures: [], unfinished: [] };
  try {
    counts = read(JSON.parse(readFileSync(report, 'utf8')));
  } catch {
    // A runner that broke before it could report has failed as a whole.
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  // An error that no test and no file counts is a failure all the same.
  if (code !== 0 && counts.failed === 0 && counts.unfinished.length === 0) counts.failed = 1;
  return counts;
}

/** Runs a suite. As with a test that fails, a file whose process broke down is run once more, and named at the end. */
async function run(suite: Suite): Promise<Counts> {
  const first = await runOnce(suite, []);
  if (first.unfinished.length === 0) return first;
  const again = await runOnce(suite, first.unfinished);
  const broken = again.unfinished.map((file) => `${file}\nits process broke down twice`);
  const passed = first.unfinished.filter((file) => !again.unfinished.includes(file));
  return {
    passed: first.passed + again.passed,
    failed: first.failed + again.failed + broken.length,
    skipped: first.skipped + again.skipped,
    failures: [
      ...first.failures,
      ...passed.map((file) => `${file}\nits process broke down; it was run once more`),
      ...again.failures,
      ...broken,
    ],
    unfinished: [],
  };
}

// Once, and not by every test that starts the program, of which some begin at the same moment.
await ensureConsole(() => console.log('building the console'));
const wanted = process.argv.slice(2);
const total = { passed: 0, failed: 0, skipped: 0, failures: [] as string[] };
for (const suite of suites.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  const { passed, failed, skipped, failures } = await run(suite);
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
  total.failures.push(...failures);
}
for (const failure of total.failures) console.log(`\n${failure}`);
console.log(`tests: ${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
