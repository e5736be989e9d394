import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { bindRoleMenus, listRoles } from '#contract/roles.ts';
import { login, logout } from '#contract/sign-in.ts';
import { connect } from '#server/db/database.ts';
import { type Program, programEnvironment, startProgram } from '#server/testing/program.ts';
import { testClient } from '#server/testing/test-client.ts';
import { computedBy } from './computing.ts';
import { tell } from './figures.ts';
import { interleaved, loadOnce } from './measure.ts';
import { startOwnPostgres } from './own-postgres.ts';

/*
 * A list called by 1,000 operators who are signed in, while rights stay as they are and while they change once a second: somebody signs out,
 * or a role of 50 operators is given and taken a screen. Goal: 0.9 of the quiet rate. BENCH_BEFORE=<another tree> measures that one's program
 * beside ours, each on a database of its own.
 */
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const seconds = Number(process.env.BENCH_SECONDS ?? 4);
const OPERATORS = 1_000;
const ROLES = 20;
const LEAVING = 500;

const dataDir = mkdtempSync(join(tmpdir(), 'back-office-bench-'));

/** Signed in without having to prove a password, which would take a minute. */
async function signIn(url: string) {
  const db = connect(url, { timeZone: 'Asia/Shanghai', max: 1, patient: true });
  const tokens = Array.from({ length: OPERATORS + LEAVING }, () => randomUUID());
  const hashes = tokens.map((token) => createHash('sha256').update(token).digest('hex'));
  const { rows } = await sql<{ roleId: number }>`
    with made_role as (
      insert into role ("desc", name) select '角色 ' || g, 'bench-' || g from generate_series(1, ${ROLES}::int) g returning id, name
    ), opened as (insert into role_menu ("roleId", "menuId") select r.id, m.id from made_role r, menu m),
    made_operator as (
      insert into operator ("userName", "passwordHash")
      select 'bench' || g, '-' from generate_series(1, ${OPERATORS}::int) g returning id, "userName"
    ), held as (
      insert into operator_role ("operatorId", "roleId") select o.id, r.id from made_operator o
      join made_role r on r.name = 'bench-' || (1 + substr(o."userName", 6)::int % ${ROLES}::int)
    ), begun as (
      insert into session (id, "operatorId", address) select gen_random_uuid(), o.id, '127.0.0.1'
      from generate_series(1, ${OPERATORS + LEAVING}::int) g join made_operator o on o."userName" = 'bench' || (1 + (g - 1) % ${OPERATORS}::int)
      returning id
    ), numbered as (select id, row_number() over () as n from begun),
    given as (
      insert into access_token (hash, "sessionId", "expireTime") select decode(t.hash, 'hex'), n.id, now() + interval '1 day'
      from unnest(${hashes}::text[]) with ordinality t (hash, n) join numbered n on n.n = t.n
    )
    select id as "roleId" from made_role limit 1`.execute(db);
  const menus = await db.selectFrom('menu').select('id').orderBy('id').execute();
  await db.destroy();
  return {
    ...{ tokens: tokens.slice(0, OPERATORS), leaving: tokens.slice(OPERATORS) },
    ...{ roleId: rows[0]?.roleId ?? 0, menuIds: menus.map(({ id }) => id) },
  };
}

async function prepare(name: string, tree: string | undefined) {
  const pg = await startOwnPostgres({ dataDir: join(dataDir, name) });
  const program: Program = await startProgram({ DATABASE_URL: pg.ownerUrl }, undefined, tree);
  const people = await signIn(pg.ownerUrl);
  const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password } = programEnvironment;
  const { envelope } = await testClient(program.origin).call(login, { username, password });
  return { pg, program, ...people, admin: testClient(program.origin, envelope.data?.access_token) };
}

type Contender = Awaited<ReturnType<typeof prepare>>;

const quiet = ({ program, tokens }: Contender): Promise<number> =>
  loadOnce({
    ...{
      url: `${program.origin}/api${listRoles.path}`,
      method: 'POST',
      body: 'desc=&name=nobody',
      seconds,
      tokens,
    },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    connections: 16,
  });

/** Milliseconds of the server's processor time, by what was measured, and the calls they were for. */
const costs = new Map<string, { computed: number; calls: number }>();

async function costed(what: string, { program }: Contender, load: () => Promise<number>): Promise<number> {
  const pid = program.process.pid ?? 0;
  const before = computedBy(pid);
  const rate = await load();
  const { computed, calls } = costs.get(what) ?? { computed: 0, calls: 0 };
  costs.set(what, { computed: computed + computedBy(pid) - before, calls: calls + rate * seconds });
  return rate;
}

const costOf = (what: string): string => {
  const { computed = 0, calls = 0 } = costs.get(what) ?? {};
  return `${(computed / calls).toFixed(3)} ms`;
};

let turn = 0;
async function changeRights({ admin, program, leaving, roleId, menuIds }: Contender): Promise<void> {
  turn++;
  const gone = turn % 2 === 0 ? leaving.pop() : undefined;
  const { envelope } = gone
    ? await testClient(program.origin, gone).call(logout, {})
    : await admin.call(bindRoleMenus, {
        rid: roleId,
        menuIds: turn % 4 === 1 ? menuIds.slice(0, -1) : menuIds,
      });
  if (!envelope.success) throw new Error(`a change of rights was refused: ${envelope.msg}`);
}

async function changing(contender: Contender): Promise<number> {
  let change = Promise.resolve();
  const timer = setInterval(() => {
    change = change.then(() => changeRights(contender));
  }, 1_000);
  try {
    return await quiet(contender);
  } finally {
    clearInterval(timer);
    await change;
  }
}

const contenders = { ours: await prepare('ours', undefined) } as Record<string, Contender>;
const { BENCH_BEFORE: before } = process.env;
if (before) contenders.before = await prepare('before', before);
const rates = await interleaved(
  Object.fromEntries(
    Object.entries(contenders).flatMap(([name, contender]) => [
      [`${name} quiet`, () => costed(`${name} quiet`, contender, () => quiet(contender))],
      [`${name} changing`, () => costed(`${name} changing`, contender, () => changing(contender))],
    ]),
  ),
  rounds,
);
for (const name of Object.keys(contenders)) {
  const [still = 0, moved = 0] = [rates[`${name} quiet`], rates[`${name} changing`]];
  const ratio = moved / still;
  const met = ratio >= 0.9 ? 'met' : 'not met';
  console.log(
    `${name}: ${OPERATORS} operators signed in, quiet ${still.toFixed(0)}/s (${costOf(`${name} quiet`)} of the server a call), rights changing once a second ${moved.toFixed(0)}/s (${costOf(`${name} changing`)}), ${ratio.toFixed(2)} (goal 0.9, ${met})`,
  );
  if (name === 'ours')
    tell({
      ...{ what: `${OPERATORS} operators while rights change once a second, against quiet`, value: ratio },
      ...{
        unit: 'of the rate',
        goal: { least: 0.9 },
        note: `${still.toFixed(0)}/s and ${moved.toFixed(0)}/s`,
      },
    });
}

for (const { program, pg } of Object.values(contenders)) {
  await program.end('SIGTERM');
  await pg.stop();
}
rmSync(dataDir, { recursive: true, force: true });
