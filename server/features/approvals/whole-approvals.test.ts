import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { pageApprovals } from '#contract/approvals.ts';
import { pageChangeRecords } from '#contract/change-records.ts';
import { listGameNumbersByGame } from '#contract/game-numbers.ts';
import { addOdds, putOdds, setOdds, updateOdds } from '#contract/odds.ts';
import { pagePlayWays } from '#contract/play-ways.ts';
import { approvalSeenBy, startApproving, waiting } from '#server/testing/approving.ts';
import { buildPlayWay } from '#server/testing/build-play-way.ts';
import { given } from '#server/testing/given.ts';

const { server, admin, second, release } = await startApproving();
afterAll(() => server.close());

const ROWS = 300;

/** A play way on three hundred numbers. */
async function manyNumbers() {
  const built = await buildPlayWay(
    admin,
    Array.from({ length: ROWS }, (_, n) => String(n + 1)),
  );
  const { data } = (await admin.call(listGameNumbersByGame, { id: built.gameId })).envelope;
  return { ...built, numberIds: given(data).map(({ id }) => id) };
}

it('three hundred odds are shown whole to who releases them, and recorded whole once they are', async () => {
  const { playWayId, numberIds } = await manyNumbers();
  const oddsAt = (place: number) => ({ 0: '301', 290: '90000' })[place] ?? '290';
  const rows = numberIds.map((numberId, place) => ({ numberId, odds: oddsAt(place) }));
  const id = waiting(await admin.call(setOdds, { playWayId, rows }));
  const seen = await approvalSeenBy(second.client, id);
  expect(seen.why).toBe('2 个赔率的返还率高于 1，最高的是玩法“猜号”的“291”：300');
  expect(seen.shortened).toBe(false);
  expect(seen.input).toEqual({ playWayId, rows });
  const after = rows.map((row) => ({ playWayId, ...row }));
  expect(seen.after).toEqual({ odds: after });

  // A list of many approvals carries little of each.
  const page = given((await second.client.call(pageApprovals, {})).envelope.data);
  const listed = given(page.data.find((row) => row.id === id));
  expect(listed).toMatchObject({ shortened: true, after: '内容较长，列表中省略，按编号查看全文' });
  expect(JSON.stringify(listed).length).toBeLessThan(3_000);

  expect((await release(id)).data).toBe(ROWS);
  const changes = async (filter: object) =>
    given((await admin.call(pageChangeRecords, filter)).envelope.data).data;
  const [short] = await changes({ summary: '设置赔率', outcome: 'SUCCESS' });
  expect(short?.shortened).toBe(true);
  expect(JSON.stringify(short).length).toBeLessThan(3_000);
  const [whole, ...others] = await changes({ id: given(short).id });
  expect(others).toEqual([]);
  expect(whole).toMatchObject({ shortened: false, input: { playWayId, rows } });
  expect(whole?.after).toMatchObject({ odds: after });
  const [prepared] = await changes({ summary: '设置赔率', outcome: 'PREPARED' });
  const [kept] = await changes({ id: given(prepared).id });
  expect(kept?.input).toEqual({ playWayId, rows });
});

it('a change of any of many rows is another ground, also of one far down', async () => {
  const { gameId, playWayId, numberIds } = await manyNumbers();
  await admin.call(addOdds, { playWayId, numberIds, odds: '290' });
  const id = waiting(await admin.call(putOdds, { playWayId, numberIds, odds: '302' }));
  const odds = given((await admin.call(pagePlayWays, { gameId })).envelope.data?.data[0]).odds;
  const last = given(odds.find(({ numberId }) => numberId === numberIds.at(-1)));
  expect((await admin.call(updateOdds, { id: last.id, odds: '280' })).envelope.data).toBe(true);
  expect((await release(id)).msg).toBe('提交之后情况已变化，与预览不符，不能放行，请驳回后重新提交');
  expect((await admin.call(updateOdds, { id: last.id, odds: '290' })).envelope.data).toBe(true);
});

it('what no database can keep is left out of what was typed, and nothing beside it', async () => {
  const { playWayId, numberIds } = await manyNumbers();
  const rows = numberIds.slice(-2).map((numberId) => ({ numberId, odds: 'a\u0000\ud800\\u0000\\ud800中' }));
  await admin.call(setOdds, { playWayId, rows });
  const { rows: found } = await sql<{ odds: string }>`
    select input -> 'rows' -> 1 ->> 'odds' as odds from change_record where call = 'setOdds' and outcome = 'REFUSED'`.execute(
    server.db,
  );
  expect(found).toEqual([{ odds: 'a\\u0000\\ud800中' }]);
});
