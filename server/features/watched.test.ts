import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildGame } from '#server/testing/build-game.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

interface Line {
  msg: string;
  figure?: string;
}
const lines: Line[] = [];
let server: TestServer;
beforeAll(async () => {
  const logTo = { write: (line: string) => void lines.push(JSON.parse(line)) };
  server = await startTestServer({ logLevel: 'warn' }, undefined, { logTo });
});
afterAll(() => server.close());

async function figure(name: string): Promise<string | undefined> {
  const text = await (await fetch(`${server.origin}/metrics`)).text();
  return new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1];
}

it('mails that failed one after the other are counted until one goes out; those of yesterday no more', async () => {
  const mail = (status: string, ago = '1 minute') =>
    sql`insert into mail_outbox (template, "to", status, "createTime") values
      ('LOGIN', 'a@example.com', ${status}, now() - ${ago}::interval)`.execute(server.db);
  const failed = () => figure('mails_failed_in_a_row');
  expect(await failed()).toBe('0');
  await mail('FAILED', '2 days');
  expect(await failed()).toBe('0');
  await mail('FAILED');
  await mail('PENDING');
  await mail('FAILED');
  expect(await failed()).toBe('2');
  await mail('SENT');
  expect(await failed()).toBe('0');
  await mail('FAILED');
  expect(await failed()).toBe('1');
});

it('days of games that should have been planned are counted', async () => {
  const days = () => figure('unplanned_days');
  expect(await days()).toBe('0');
  const gameId = await buildGame(server.db, {
    openRate: 3600,
    timeRanges: [{ start: '00:00:00', end: '23:59:59' }],
    phase: '500',
    phaseTime: new Date(),
  });
  // It had an evening before today's.
  await sql`insert into draw_plan_day ("gameId", day) values (${gameId}, current_date - 1)`.execute(
    server.db,
  );
  expect(Number(await days())).toBeGreaterThan(0);
});

it('one that cannot be read has no value, is told of once, and takes none of the others with it', async () => {
  await sql`alter table bets_proof rename to bets_proof_away`.execute(server.database.owner);
  lines.length = 0;
  expect(await figure('bets_proof_broken')).toBe('Nan');
  expect(await figure('bets_proof_broken')).toBe('Nan');
  expect(await figure('draw_alarms')).toBe('0');
  const told = lines.filter(({ msg }) => msg === 'a figure cannot be read');
  expect(told).toMatchObject([{ figure: 'bets_proof_broken' }]);
  await sql`alter table bets_proof_away rename to bets_proof`.execute(server.database.owner);
  expect(await figure('bets_proof_broken')).toBe('0');
});

it('what was counted stays, though it cannot be read for a moment: as 0 it would be taken for a count that began anew', async () => {
  const { owner } = server.database;
  await sql`alter table slip_settlement rename to slip_settlement_away`.execute(owner);
  await sql`create table slip_settlement as select 5::bigint as id`.execute(owner);
  await sql`grant select on slip_settlement to public`.execute(owner);
  expect(await figure('settled_slips_total')).toBe('5');
  await sql`drop table slip_settlement`.execute(owner);
  expect(await figure('settled_slips_total')).toBe('5');
  await sql`alter table slip_settlement_away rename to slip_settlement`.execute(owner);
});
