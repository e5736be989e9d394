import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { login } from '#contract/sign-in.ts';
import { connect, type Db } from '#server/db/database.ts';
import { type BuiltUser, buildUser } from '#server/testing/build-user.ts';
import { type Cluster, hasCluster, startCluster } from '#server/testing/cluster/cluster.ts';
import { PLATFORM_API_KEY } from '#server/testing/cluster/machines.ts';
import { buildDrawingGame, type DrawingGame, drawsOf, latestSince } from '#server/testing/drawing-game.ts';
import { type Done, type Load, sendAgain, startLoad } from '#server/testing/load.ts';
import { expectEffects } from '#server/testing/load-effects.ts';
import { programEnvironment } from '#server/testing/program.ts';
import { type TestClient, testClient } from '#server/testing/test-client.ts';

// ROUNDS=1 for a quick look.
const ROUNDS = Number(process.env.ROUNDS ?? 10);
/** Writes are back within so long of a primary's end; within this where its Patroni ends with it. */
const BACK_MS = 15_000;
const MACHINE_BACK_MS = 30_000;
/** Work goes on for so long before something is killed, and after all is whole. */
const WORK_MS = 1_500;
const PLAYERS = 20;
const BALANCE = 1_000_000;
const PATIENCE = { timeout: 60_000, interval: 500 };

describe.skipIf(!hasCluster)('three PostgreSQL under Patroni, two servers', () => {
  let cluster: Cluster;
  let db: Db;
  let game: DrawingGame;
  let players: BuiltUser[];
  let operators: TestClient[];
  let sites: TestClient[];
  const done: Done[] = [];

  beforeAll(async () => {
    cluster = await startCluster();
    db = connect(cluster.url, { timeZone: 'Asia/Shanghai', max: 4, patient: true });
    players = [];
    for (let n = 0; n < PLAYERS; n++) players.push(await buildUser(db, { balance: String(BALANCE) }));
    game = await buildDrawingGame(db, 300 + ROUNDS * 240);
    sites = cluster.origins.map((origin) => testClient(origin, PLATFORM_API_KEY));
  }, 400_000);
  afterAll(async () => {
    await db?.destroy();
    await cluster?.stop();
  }, 120_000);

  /** Anew for each round: a token is good for a quarter of an hour. */
  async function signIn(): Promise<void> {
    const [entrance = ''] = cluster.origins;
    const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password } = programEnvironment;
    const { envelope } = await testClient(entrance).call(login, { username, password });
    operators = cluster.origins.map((origin) => testClient(origin, envelope.data?.access_token));
  }

  /** Does something to the cluster under load, and waits until all is whole again; tells how long the slowest write took. */
  async function under(load: Load, name: string, act: () => Promise<void>): Promise<number> {
    await pause();
    const began = performance.now();
    await act();
    await cluster.whole();
    const whole = performance.now() - began;
    await pause();
    const met = load.done.filter(({ answered }) => answered >= began);
    const slowest = Math.max(...met.map(({ asked, answered }) => answered - asked));
    const repeated = met.filter(({ times }) => times > 1).length;
    console.log(
      `  ${name}: slowest write ${seconds(slowest)}, ${repeated} of ${met.length} sent again, whole after ${seconds(whole)}`,
    );
    return slowest;
  }
  const pause = () => new Promise((resolve) => setTimeout(resolve, WORK_MS));

  /** How many lists each of the two was asked for since the servers started. */
  async function readsFrom(from: string): Promise<number> {
    const counts = cluster.origins.map(async (origin) => {
      const text = await (await fetch(`${origin.replace(':8000', ':8080')}/metrics`)).text();
      return Number(new RegExp(`database_reads_total\\{from="${from}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
    });
    return (await Promise.all(counts)).reduce((sum, n) => sum + n, 0);
  }

  /** Every phase that was due has one record and, where it was bet on, one settlement that is through. */
  async function expectDrawn(): Promise<number> {
    const all = async () => {
      const draws = await drawsOf(db, game, 2);
      return draws && { ...draws, opened: draws.due - draws.opened, drawn: draws.due - draws.drawn, due: 0 };
    };
    await expect
      .poll(all, PATIENCE)
      .toEqual({ due: 0, opened: 0, drawn: 0, twice: 0, unsettled: 0, settledTwice: 0 });
    return (await drawsOf(db, game, 2))?.due ?? 0;
  }

  test.each(Array.from({ length: ROUNDS }, (_, round) => round + 1))(
    'round %i: the primary, a replica, etcd’s leader, a server and PgBouncer killed in turn; nothing acknowledged is lost or doubled',
    async (round) => {
      await signIn();
      const since = new Date();
      const load = startLoad({ game, players, operators, sites });
      console.log(`round ${round}`);
      const former = await cluster.primary();
      const wholeMachine = round % 2 === 0;
      const back = await under(load, wholeMachine ? 'the primary’s machine' : 'the primary', async () => {
        const began = performance.now();
        if (wholeMachine)
          await Promise.all(
            [former.services.patroni, former.services.etcd].map((service) => service?.down()),
          );
        cluster.killPostgres(former);
        const firstAfter = () => load.done.some(({ asked }) => asked > began + 500);
        await expect.poll(firstAfter, PATIENCE).toBe(true);
        if (wholeMachine) for (const name of ['etcd', 'patroni']) former.services[name]?.start();
      });
      expect((await cluster.primary()).host).not.toBe(former.host);
      expect(back).toBeLessThan(wholeMachine ? MACHINE_BACK_MS : BACK_MS);
      await under(load, 'a replica', async () =>
        cluster.killPostgres(await cluster.replica(round % 3 ? 'sync_standby' : 'replica')),
      );
      await under(load, 'etcd’s leader', async () => (await cluster.etcdLeader()).services.etcd?.kill());
      const serving = cluster.serving[round % 2];
      await under(load, 'a server', async () => serving?.services['back-office']?.kill());
      await under(load, 'PgBouncer', async () => serving?.services.pgbouncer?.kill());
      await load.end();
      done.push(...load.done);
      expect(load.strange.slice(0, 5)).toEqual([]);
      await sendAgain(load.done.filter((_, place) => place % 5 === 0));
      await expectEffects(db, { players, game }, done);
      const drawn = await expectDrawn();
      const late = await latestSince(db, game, since);
      console.log(
        `  queries since the servers started: ${await readsFrom('replica')} from replicas, ${await readsFrom('primary')} from the primary`,
      );
      const reasons = Map.groupBy(load.refused.values(), (why) => why.replace(/\d+/g, 'n'));
      console.log(
        `  ${load.done.length} acknowledged, ${load.looks.seen} own changes seen at once, ${drawn} phases drawn once each so far, the latest ${late.toFixed(1)} s late; refused:`,
        Object.fromEntries([...reasons].map(([why, all]) => [why, all.length])),
      );
    },
    600_000,
  );

  test('the commands of the operators find the same', async () => {
    const root = fileURLToPath(new URL('../..', import.meta.url));
    const env = { ...process.env, ...programEnvironment, DATABASE_URL: cluster.url };
    for (const command of ['ledger:verify', 'bets:verify']) {
      const { stdout } = await promisify(execFile)('npm', ['run', '-s', command], { cwd: root, env });
      console.log(stdout.trim());
      expect(stdout).toContain('全部相符');
    }
  });
});

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
