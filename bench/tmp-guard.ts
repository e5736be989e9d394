import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { sql } from 'kysely';
import { connect } from '#server/db/database.ts';
import { migrate } from '#server/db/migrate.ts';
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts';
import { buildBetting } from '#server/testing/build-betting.ts';
import { placeSlip } from '#server/features/slips/place-slip.ts';
import { slipOn } from '#server/testing/build-betting.ts';
import { interleaved } from './measure.ts';
import { pgbenchRate } from './pgbench.ts';
const dataDir = '/tmp/guard-bench';
rmSync(dataDir, { recursive: true, force: true });
mkdirSync(dataDir, { recursive: true });
const pg = await startEmbeddedPostgres({ dataDir });
const db = connect(pg.url, { timeZone: 'Asia/Shanghai', max: 4, patient: true });
await migrate(db);
const betting = await buildBetting(db, { to: 86_400 * 30 });
const accounts = 2000;
await sql`with added as (insert into player ("nickName") select 'p' || g from generate_series(1, ${accounts}::int) g returning id)
  insert into account ("userId", "totalAmount", "availableAmount") select id, 1000000.00, 1000000.00 from added order by id`.execute(db);
const first = Number((await sql<any>`select min("userId") as f from account where "totalAmount" = 1000000`.execute(db)).rows[0].f);
const text = readFileSync('server/db/migrations/0276-slips-together.sql', 'utf8');
await sql.raw(text.slice(text.indexOf('create function place_slips(')).replace('create function place_slips(', 'create function former_slips(')).execute(db);
await placeSlip(db, slipOn(betting) as any);
await sql`analyze`.execute(db);
const kept = (await sql<any>`select l."rulesId" as rules, c.version, extract(epoch from s."drawTime")::float8 as epoch
  from slip s join slip_line l on l."slipId" = s.id join game_catalogue c on c."gameId" = s."gameId" limit 1`.execute(db)).rows[0];
const script = (fn: string, n: number) => {
  const rep = (x: string) => `array[${Array.from({ length: n }, () => x).join(',')}]`;
  const place = Array.from({ length: n }, (_, i) => i);
  const body = `\\set account random(0, ${accounts / n - 1 | 0})\nselect count(*) from ${fn}(array[${place.map((i) => `${first} + ${n} * :account + ${i}`).join(',')}]::bigint[], ${rep('gen_random_uuid()::text')}, ${rep(String(betting.gameId))}::bigint[], ${rep(`'${betting.phase}'`)}, ${rep("'SAME'")}, ${rep("'\\x00'")}::bytea[], ${rep(String(kept.version))}::bigint[], ${rep(String(kept.epoch))}::float8[], ${rep('false')}, ${rep('false')}, array[${place.map((i) => i + 1).join(',')}], ${rep(String(betting.bigSmall))}::bigint[], ${rep(String(kept.rules))}::bigint[], ${rep("'大'")}, ${rep('1')}, ${rep('1')}::numeric[], ${rep(`'"1.98"'`)}, ${rep('1.98')}::numeric[], false);\n`;
  const file = `/tmp/guard-${fn}-${n}.pgbench`;
  writeFileSync(file, body);
  return file;
};
const run = (fn: string, n: number, c: number) => () => pgbenchRate({ url: pg.url, script: script(fn, n), accounts, connections: c, seconds: 2 });
for (const [n, c] of [[1, 8], [16, 2]] as const) {
  const r = await interleaved({ before: run('former_slips', n, c), after: run('place_slips', n, c) }, 9);
  console.log(`batches of ${n}: before ${r.before?.toFixed(0)}/s after ${r.after?.toFixed(0)}/s ratio ${((r.after ?? 0) / (r.before ?? 1)).toFixed(3)}`);
}
const timed = async (f: () => Promise<unknown>) => { const t = performance.now(); await f(); return performance.now() - t; };
const settle = () => timed(() => sql`update slip set "settleTime" = clock_timestamp() where id in (select id from slip order by id desc limit 20000)`.execute(db));
const on = (w: string) => sql.raw(`alter table slip ${w} trigger slip_losses`).execute(db);
const s = await interleaved({ without: async () => { await on('disable'); return settle(); }, with: async () => { await on('enable'); return settle(); } }, 7);
console.log(`update of 20000 slips, no limits: without the trigger ${s.without?.toFixed(0)} ms, with ${s.with?.toFixed(0)} ms`);
await sql`insert into player_limit ("userId", kind, period, amount) values (${first}, 'LOSS', 'DAY', 1000000)`.execute(db);
const t = await interleaved({ without: async () => { await on('disable'); return settle(); }, with: async () => { await on('enable'); return settle(); } }, 7);
console.log(`one player limited: without ${t.without?.toFixed(0)} ms, with ${t.with?.toFixed(0)} ms`);
const r = await interleaved({ before: run('former_slips', 1, 8), after: run('place_slips', 1, 8) }, 5);
console.log(`one player of ${accounts} limited, singles: ratio ${((r.after ?? 0) / (r.before ?? 1)).toFixed(3)}`);
await db.destroy();
await pg.stop();
rmSync(dataDir, { recursive: true, force: true });
