import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, tmpdir, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Figure, isMet, lineOf } from './figures.ts';
import { type Kept, lastKept, type Results } from './results.ts';

/*
 * `npm run bench`: every measurement that has a goal, one after the other, each figure with its goal and whether that is met; and all of them in
 * bench/results (or BENCH_RESULTS), with date, machine and commit, beside what the last file said. BENCH_SCALE makes all of it smaller, BENCH_ONLY
 * names the benches that are wanted (by commas).
 */
const benches: Readonly<Record<string, { file: string; env?: Record<string, string> }>> = {
  lists: { file: 'money.ts' },
  list: { file: 'server-list.ts' },
  access: { file: 'access.ts' },
  credits: { file: 'posting.ts' },
  exports: { file: 'exports.ts' },
  console: { file: 'console/run.ts' },
  promises: { file: 'promises.ts' },
  growth: { file: 'growth.ts' },
  slips: { file: 'slips.ts', env: { BENCH_ONLY: 'placing' } },
  settling: { file: 'bets.ts', env: { BENCH_ONLY: 'settling' } },
  report: { file: 'report.ts' },
  games: { file: 'games.ts' },
  draws: { file: 'draws.ts' },
  prove: { file: 'prove.ts' },
  live: { file: 'live.ts' },
};

const here = fileURLToPath(new URL('.', import.meta.url));
const wanted = process.env.BENCH_ONLY?.split(',') ?? Object.keys(benches);
const unknown = wanted.filter((name) => !benches[name]);
if (unknown.length > 0) throw new Error(`no bench is called ${unknown.join(', ')}`);

let under: ChildProcess | undefined;
let isCutOff = false;
// Whoever ends this ends the bench under way, which cleans up behind itself; nothing is written then.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  process.on(signal, () => {
    isCutOff = true;
    under?.kill(signal);
  });

/** What a bench found, by running it; nothing where it failed. */
async function figuresOf(name: string, work: string): Promise<Figure[] | undefined> {
  const { file = '', env } = benches[name] ?? {};
  const into = join(work, 'figures');
  writeFileSync(into, '');
  const { BENCH_ONLY: _, BENCH_DIR: kept, ...rest } = process.env;
  const child = spawn(process.execPath, [join(here, file)], {
    stdio: 'inherit',
    // Each with data of its own: what one keeps is in another's way.
    env: { ...rest, ...env, ...(kept && { BENCH_DIR: join(kept, name) }), BENCH_FIGURES: into },
  });
  under = child;
  const [code] = await once(child, 'exit');
  const lines = readFileSync(into, 'utf8').split('\n').slice(0, -1);
  return code === 0 ? lines.map((line) => JSON.parse(line) as Figure) : undefined;
}

const git = (...args: string[]): string => spawnSync('git', args, { encoding: 'utf8' }).stdout.trim();
const round = (value: number): number => Number(value.toPrecision(3));

/** A figure with what it was when it was last taken at the same size. */
function compared(kept: Kept, last: Results | undefined): string {
  const before = last?.figures.find(({ bench, what }) => bench === kept.bench && what === kept.what);
  return `${lineOf(kept)}${before ? `; last time ${before.value}` : ''}`;
}

const scale = Number(process.env.BENCH_SCALE ?? 1);
const results: Results = {
  date: new Date().toISOString().slice(0, 19),
  commit: git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') === '' ? '' : ', changed'),
  machine: `${cpus().length} x ${cpus()[0]?.model.trim()}, ${round(totalmem() / 2 ** 30)} GB, ${type()} ${release()}`,
  node: process.version,
  scale,
  loads: [],
  failed: [],
  figures: [],
};
const work = mkdtempSync(join(tmpdir(), 'bench-all-'));
for (const name of wanted) {
  const { file = '' } = benches[name] ?? {};
  console.log(`\n== ${name} (${file})`);
  results.loads.push(`${name} ${round(loadavg()[0] ?? 0)}`);
  const found = existsSync(join(here, file)) ? await figuresOf(name, work) : undefined;
  if (!found) results.failed.push(name);
  if (isCutOff) break;
  for (const figure of found ?? [])
    results.figures.push({ bench: name, ...figure, value: round(figure.value), met: isMet(figure) });
}
rmSync(work, { recursive: true, force: true });
if (isCutOff) process.exit(1);

const folder = process.env.BENCH_RESULTS ?? join(here, 'results');
mkdirSync(folder, { recursive: true });
const last = lastKept(folder, results);
console.log(`\n${results.date}, ${results.commit}, ${results.machine}, scale ${scale}`);
for (const kept of results.figures) console.log(`${kept.bench}: ${compared(kept, last)}`);
if (results.failed.length > 0) console.log(`failed: ${results.failed.join(', ')}`);
const goals = results.figures.filter(({ met }) => met !== undefined);
console.log(`${goals.filter(({ met }) => met).length} of ${goals.length} goals met`);
writeFileSync(
  join(folder, `${results.date.replace(/:/g, '')}.json`),
  `${JSON.stringify(results, undefined, 2)}\n`,
);
process.exitCode = results.failed.length > 0 ? 1 : 0;
