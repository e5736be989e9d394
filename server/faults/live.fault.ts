import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { getHappenings, type Happenings } from '#contract/happenings.ts';
import { requestFor } from '#contract/request.ts';
import { login } from '#contract/sign-in.ts';
import { connect, type Db } from '#server/db/database.ts';
import { type Balancer, startBalancer } from '#server/testing/balancer.ts';
import { buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { buildUser } from '#server/testing/build-user.ts';
import { type ExternalPostgres, externalPostgres } from '#server/testing/external-postgres.ts';
import { type NewsStream, openNews } from '#server/testing/news-stream.ts';
import { inParallel } from '#server/testing/parallel.ts';
import { hasPooler, type Pooler, startPooler } from '#server/testing/pooler.ts';
import { type Program, startProgram } from '#server/testing/program.ts';
import { testClient } from '#server/testing/test-client.ts';

const OPERATORS = 200;
const METRICS_TOKEN = 'the-metrics-of-the-live-stream-tests';
/** As the stream itself asks for; see `server/http/live.ts`. */
const RETRY_MS = 1_000;

let postgres: ExternalPostgres;
let pooler: Pooler | undefined;
let db: Db;
let programs: Program[];
let balancer: Balancer;
let userId: number;
let stopPlacing = (): unknown => undefined;

const environment = () => ({
  DATABASE_URL: pooler?.url ?? postgres.url,
  DATABASE_OWNER_URL: postgres.ownerUrl,
  METRICS_TOKEN,
});

beforeAll(async () => {
  postgres = await externalPostgres();
  pooler = hasPooler ? await startPooler(postgres.url) : undefined;
  programs = await Promise.all([1, 2].map(() => startProgram(environment())));
  db = connect(postgres.url, { timeZone: 'Asia/Shanghai', max: 4 });
  balancer = await startBalancer(programs.map(({ origin }) => origin));
  ({ userId } = await buildUser(db));
});
afterAll(async () => {
  balancer.close();
  stopPlacing();
  await Promise.all(programs.map((program) => program.end('SIGTERM')));
  await db.destroy();
  await pooler?.stop();
  await postgres.remove();
});

/** One operator's window: it comes again as the console does, and keeps what it hears. */
class Window {
  readonly heard = new Map<number, number>();
  /** How long it was away, each time. */
  readonly gaps: number[] = [];
  incomplete = 0;
  stream: NewsStream | undefined;
  #over = false;

  async live(token: string): Promise<void> {
    let last: string | undefined;
    for (let failures = 0, lostAt: number | undefined; !this.#over; ) {
      let isFirst = true;
      const onNews = (news: Happenings) => {
        if (isFirst && lostAt !== undefined) this.gaps.push(performance.now() - lostAt);
        isFirst = false;
        failures = 0;
        last = news.cursor;
        if (!news.complete) this.incomplete++;
        for (const { noun, id } of news.happenings)
          if (noun === 'deposit' && !this.heard.has(id)) this.heard.set(id, Date.now());
      };
      this.stream = await openNews(balancer.origin, token, last, onNews).catch(() => undefined);
      await this.stream?.ended;
      this.stream = undefined;
      if (!isFirst || lostAt === undefined) lostAt = performance.now();
      if (isFirst) failures++;
      const doubled = RETRY_MS * 2 ** Math.min(Math.max(0, failures - 1), 5);
      await sleep(Math.min(8_000, doubled) * (0.2 + Math.random()));
    }
  }

  get isConnected(): boolean {
    return (this.stream?.told.length ?? 0) > 0;
  }

  leave(): void {
    this.#over = true;
    this.stream?.close();
  }
}

async function signInAll(): Promise<string[]> {
  const signInOne = async (): Promise<string> => {
    const { username } = await buildOperator(db, { grants: ['/main/user/deposit-record'] });
    const { envelope } = await testClient(balancer.origin).call(login, { username, password: PASSWORD });
    return envelope.data?.access_token ?? '';
  };
  return inParallel(
    Array.from({ length: OPERATORS }, () => signInOne),
    4,
  );
}

/** Deposits one after the other, with the time each was committed. */
function placing() {
  const placed = new Map<number, number>();
  let over = false;
  const done = (async () => {
    while (!over) {
      const { rows } = await sql<{ id: number }>`
        insert into deposit ("userId", amount, "bankOrderNo", type)
        values (${userId}, 10, gen_random_uuid()::text, 'THIRD_PARTY') returning id`.execute(db);
      placed.set(rows[0]?.id ?? 0, Date.now());
      await sleep(100);
    }
  })();
  const stop = (): Promise<void> => {
    over = true;
    return done;
  };
  return { placed, stop };
}

/** How often a server was asked in place of being listened to. */
async function pollsAt({ origin }: Program): Promise<number> {
  const response = await fetch(`${origin}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  });
  const route = requestFor(getHappenings, {}).url;
  const line = (await response.text())
    .split('\n')
    .find((one) => one.startsWith('http_request_duration_seconds_count') && one.includes(`"${route}"`));
  return Number(line?.split(' ').at(-1) ?? 0);
}

const portOf = ({ origin }: Program): string => new URL(origin).port;
const at = (numbers: readonly number[], share: number): number =>
  Math.round([...numbers].sort((a, b) => a - b)[Math.floor((numbers.length - 1) * share)] ?? 0);

it('200 operators at two servers: one server after the other is restarted, by SIGTERM and by SIGKILL, and nobody misses anything', async () => {
  const tokens = await signInAll();
  const windows = tokens.map(() => new Window());
  const lives = windows.map((window, place) => window.live(tokens[place] ?? ''));
  await expect.poll(() => windows.every((window) => window.isConnected), { timeout: 60_000 }).toBe(true);
  const deposits = placing();
  stopPlacing = deposits.stop;

  let polls = 0;
  for (const [which, signal] of [
    [0, 'SIGTERM'],
    [1, 'SIGKILL'],
  ] as const) {
    await sleep(3_000);
    for (const window of windows) window.gaps.length = 0;
    const old = programs[which];
    if (!old) throw new Error('no such server');
    polls += await pollsAt(old);
    await old.end(signal);
    programs[which] = await startProgram({ ...environment(), PORT: portOf(old) });
    await expect.poll(() => windows.every((window) => window.isConnected), { timeout: 60_000 }).toBe(true);
    const gaps = windows.flatMap((window) => window.gaps);
    console.log(
      `${signal}: ${gaps.length} of ${OPERATORS} had to come again, after ${at(gaps, 0.5)} ms (median), ${at(gaps, 1)} ms (longest)`,
    );
    expect(gaps.length).toBeGreaterThan(0);
    expect(at(gaps, 1)).toBeLessThan(5_000);
  }
  await sleep(3_000);
  await deposits.stop();
  const ids = [...deposits.placed.keys()];
  await expect
    .poll(() => windows.filter((window) => ids.some((id) => !window.heard.has(id))).length, {
      timeout: 20_000,
    })
    .toBe(0);
  expect(windows.reduce((sum, window) => sum + window.incomplete, 0)).toBe(0);
  for (const program of programs) polls += await pollsAt(program);
  expect(polls).toBe(0);

  const delays = windows.flatMap((window) =>
    ids.map((id) => (window.heard.get(id) ?? 0) - (deposits.placed.get(id) ?? 0)),
  );
  console.log(
    `${pooler ? 'through PgBouncer' : 'without PgBouncer'}: ${ids.length} deposits told to ${OPERATORS} operators, none missed, none asked for; told after ${at(delays, 0.5)} ms (median), ${at(delays, 0.99)} ms (99 %), restarts included`,
  );
  for (const window of windows) window.leave();
  await Promise.all(lives);
});
