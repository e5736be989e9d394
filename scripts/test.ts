import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureConsole } from '#server/console-build.ts';

// Runs the suites one after the other, all of them whatever fails, tells what failed once more, and sums them up in a last line.
// What failed stands at the end because whoever reads a long log, or only its last part, looks there.
// Arguments name suites (`unit`, `browser`); none means all.

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** What failed: the test's name, and what it said. */
  failures: string[];
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
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
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

/** What was said, without the runner's own part of the way there. */
const shortened = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !line.includes('node_modules'))
    .slice(0, 30)
    .join('\n');

const REPEATED = ' (passed when repeated)';

/** The tests that failed, those that passed only when they were repeated, and the files that did not load. */
const failedUnits = ({ testResults }: UnitReport): string[] =>
  testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter(({ failureMessages }) => failureMessages.length > 0);
    if (failed.length === 0) return status === 'failed' ? [`${name}\n${shortened(message)}`] : [];
    return failed.map(({ fullName, status: now, failureMessages }) => {
      const said = shortened(failureMessages.join('\n'));
      return `${name} > ${fullName}${now === 'passed' ? REPEATED : ''}\n${said}`;
    });
  });

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
    command: (report) => [
      'vitest/vitest.mjs',
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    read: (report) => {
      const unit = report as UnitReport;
      return {
        passed: unit.numPassedTests,
        failed: unit.numFailedTests,
        skipped: unit.numPendingTests + unit.numTodoTests,
        failures: failedUnits(unit),
      };
    },
  },
  {
    name: 'browser',
    command: () => ['@playwright/test/cli.js', 'test', '--reporter=list,json'],
    environment: (report) => ({ PLAYWRIGHT_JSON_OUTPUT_NAME: report }),
    read: (report) => {
      const { stats, suites: files } = report as BrowserReport;
      return {
        passed: stats.expected + stats.flaky,
        failed: stats.unexpected,
        skipped: stats.skipped,
        failures: files.flatMap(failedJourneys),
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

async function run({ name, command, environment, read }: Suite): Promise<Counts> {
  const folder = mkdtempSync(join(tmpdir(), 'back-office-report-'));
  const report = join(folder, `${name}.json`);
  const code = await exitOf(command(report), {
    ...process.env,
    ...temporaryFolder(),
    ...environment?.(report),
  });
  let counts: Counts = { passed: 0, failed: 0, skipped: 0, failures: [] };
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

// Once, and not by every test that starts the program, of which some begin at the same moment.
await ensureConsole(() => console.log('building the console'));
const wanted = process.argv.slice(2);
const total: Counts = { passed: 0, failed: 0, skipped: 0, failures: [] };
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
