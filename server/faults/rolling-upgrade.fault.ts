import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { login } from '#contract/sign-in.ts';
import { type BuiltUser, buildUser } from '#server/testing/build-user.ts';
import { buildDrawingGame, drawsOf } from '#server/testing/drawing-game.ts';
import { given } from '#server/testing/given.ts';
import { type Done, sendAgain, startLoad } from '#server/testing/load.ts';
import { expectEffects } from '#server/testing/load-effects.ts';
import { NEVER_STARTED } from '#server/testing/past-program.ts';
import { type Program, programEnvironment } from '#server/testing/program.ts';
import { testClient } from '#server/testing/test-client.ts';
import { look, Upgrading } from '#server/testing/upgrading.ts';

// As docs/deployment.md has it: the first server of the new version upgrades the database while one of the version before works on it, both go on,
// and then the former one stops. Of the past it takes the last program whose migrations were others; UPGRADES_FROM=… another.

const SECONDS = Number(process.env.SECONDS ?? 30);
const ALONE_MS = 3_000;
const PLAYERS = 20;
const KEY = 'platform-key-of-the-rolling-upgrade';
const root = fileURLToPath(new URL('../..', import.meta.url));
const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

function formerCommit(): string {
  const landing = git('rev-list', '--first-parent', '-1', 'HEAD', '--', 'server/db/migrations/landed.txt');
  const before = git('rev-parse', process.env.UPGRADES_FROM ?? `${landing}^`);
  return before === NEVER_STARTED ? git('rev-parse', `${before}^`) : before;
}

let upgrading: Upgrading;
beforeAll(async () => {
  upgrading = await Upgrading.begin({ PLATFORM_API_KEY: KEY, SAMPLE_DATA: 'false' });
});
afterAll(() => upgrading.end());

async function tokenAt({ origin }: Program): Promise<string> {
  const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password } = programEnvironment;
  return given((await testClient(origin).call(login, { username, password })).envelope.data).access_token;
}

test(`servers of the version before and of this one work on one database, while it is upgraded, for ${SECONDS} s beside one another, and as the former one stops: each that was answered has one effect, and nothing else has any`, async () => {
  const commit = formerCommit();
  const url = await upgrading.makeDatabase('rolling');
  const done: Done[] = [];
  await upgrading.livePast(commit, url, (past) =>
    look(url, async (db) => {
      const players: BuiltUser[] = [];
      for (let n = 0; n < PLAYERS; n++) players.push(await buildUser(db, { balance: '100000' }));
      const game = await buildDrawingGame(db, 240 + SECONDS * 2);
      /** Mixed work at these servers while something is done; tells how much was acknowledged. */
      const under = async (servers: readonly Program[], act: () => Promise<void>): Promise<number> => {
        const token = await tokenAt(given(servers[0]));
        const load = startLoad({
          ...{ game, players },
          operators: servers.map(({ origin }) => testClient(origin, token)),
          sites: servers.map(({ origin }) => testClient(origin, KEY)),
        });
        await sleep(ALONE_MS);
        await act();
        await load.end();
        expect(load.strange).toEqual([]);
        done.push(...load.done);
        return load.done.length;
      };
      let newest: Program | undefined;
      try {
        const during = await under([past], async () => {
          newest = await upgrading.startNewest(url);
        });
        const both = [past, given(newest)];
        for (const { origin } of both) expect((await fetch(`${origin}/readyz`)).status).toBe(200);
        const beside = await under(both, () => sleep(SECONDS * 1_000));
        await sendAgain(done.filter((_, place) => place % 5 === 0));
        await expectEffects(db, { players, game }, done);
        const after = await under(both, async () => {
          expect(await past.end('SIGTERM')).toBe(0);
          await sleep(ALONE_MS);
        });
        await expectEffects(db, { players, game }, done);
        const drawn = async () => {
          const draws = given(await drawsOf(db, game, 2));
          return { ...draws, opened: draws.due - draws.opened, drawn: draws.due - draws.drawn, due: 0 };
        };
        const whole = { due: 0, opened: 0, drawn: 0, twice: 0, unsettled: 0, settledTwice: 0 };
        await expect.poll(drawn, { timeout: 60_000, interval: 500 }).toEqual(whole);
        console.log(
          `from ${commit.slice(0, 7)}: ${during} acknowledged while it was upgraded, ${beside} by both, ${after} as the former one stopped`,
        );
      } finally {
        await newest?.end('SIGTERM');
      }
    }),
  );
}, 900_000);
