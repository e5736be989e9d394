import type { Db } from '#server/db/database.ts';
import { addedWhereFree, changed } from '#server/db/rows.ts';
import { countOrTrue, handlers } from '#server/http/handler.ts';
import { dayOf } from '#server/platform-days.ts';
import { Refusal, wrong } from '#server/refusal.ts';
import { findBetLatitudes } from '../bet-latitudes/bet-latitude-store.ts';
import { demandNumbersFit } from '../bet-latitudes/selection-rules.ts';
import { findGameNumbers } from '../game-numbers/game-number-store.ts';
import { marginOf } from '../play-ways/margin.ts';
import { returnsOfRow } from '../play-ways/play-rules.ts';
import { findPlayWay, listOdds } from '../play-ways/play-way-store.ts';
import { lockedOdds, setTable } from './odds-table.ts';

/** The play way, and the numbers if they are of its game. */
async function demandNumbers(
  db: Db,
  playWayId: number,
  numberIds: readonly number[],
  field: 'numberIds' | 'rows' = 'numberIds',
) {
  const playWay = await findPlayWay(db, playWayId);
  if (!playWay) throw wrong('playWayId', '玩法不存在');
  const numbers = await findGameNumbers(db, numberIds);
  if (numbers.length < numberIds.length || numbers.some(({ gameId }) => gameId !== playWay.gameId))
    throw wrong(field, '号码不属于该玩法的游戏');
  return { playWay, numbers };
}

const namesOf = (numbers: readonly { id: number; number: string }[]) => {
  const names = new Map(numbers.map(({ id, number }) => [id, number]));
  return (id: number): string => names.get(id) ?? String(id);
};

export const oddsHandlers = handlers({
  addOdds: async ({ db, remark }, { playWayId, odds, ...given }) => {
    const numberIds = [...new Set(given.numberIds)];
    const { playWay, numbers } = await demandNumbers(db, playWayId, numberIds);
    demandNumbersFit(playWay, numbers);
    const wanted = numberIds.map((numberId) => ({ playWayId, numberId, odds }));
    const added = new Set((await addedWhereFree(db, 'odds', wanted)).map(({ numberId }) => numberId));
    const present = numbers.filter(({ id }) => !added.has(id)).map(({ number }) => number);
    // Thrown on purpose after the insert: whoever else adds at the same time is seen, and the frame undoes the rest.
    if (present.length > 0)
      throw new Refusal('oddsExist', { field: 'numberIds', values: { numbers: present.join('、') } });
    remark({ targetId: playWayId });
    return true as const;
  },

  previewOdds: async ({ db, now, config }, { playWayId, odds, ...given }) => {
    const { playWay, numbers } = await demandNumbers(db, playWayId, [...new Set(given.numberIds)]);
    const present = (await listOdds(db, [playWayId])).get(playWayId) ?? [];
    const latitudes = await findBetLatitudes(db, [playWay.betLatitudeId]);
    const added = numbers.map(({ number }) => ({ number, odds }));
    const margin = marginOf(latitudes.get(playWay.betLatitudeId), [...present, ...added]);
    const { best } = await returnsOfRow(db, playWay, added, dayOf(now.getTime() / 1000, config.timeZone));
    return { margin, returnRate: best };
  },

  stopOdds: async ({ db, say }, { id, stopped }) => {
    const { numberId } = await changed(db, 'odds', { id }, { stopped });
    const [number] = await findGameNumbers(db, [numberId]);
    say(`号码“${number?.number ?? ''}”${stopped ? '已停押' : '已恢复投注'}`);
    return true as const;
  },

  updateOdds: async ({ db }, { id, version, odds }) => {
    await changed(db, 'odds', { id, version }, { odds });
    return true as const;
  },

  setOdds: async ({ db, remark }, { playWayId, rows }) => {
    const ids = rows.map(({ numberId }) => numberId);
    const { playWay, numbers } = await demandNumbers(db, playWayId, [...new Set(ids)], 'rows');
    const twice = numbers.find(({ id }) => ids.indexOf(id) !== ids.lastIndexOf(id));
    if (twice) throw wrong('rows', `号码 ${twice.number} 出现了两次`);
    demandNumbersFit(playWay, numbers);
    remark({ targetId: playWayId });
    return countOrTrue(await setTable(db, { playWayId, rows, nameOf: namesOf(numbers) }));
  },

  putOdds: async ({ db, remark }, { playWayId, odds, ...given }) => {
    const numberIds = [...new Set(given.numberIds)];
    const { playWay, numbers } = await demandNumbers(db, playWayId, numberIds);
    demandNumbersFit(playWay, numbers);
    remark({ targetId: playWayId });
    const present = await lockedOdds(db, playWayId, numberIds);
    const rows = numberIds.map((numberId) => ({ numberId, odds, seen: present.get(numberId)?.odds }));
    return countOrTrue(await setTable(db, { playWayId, rows, nameOf: namesOf(numbers) }));
  },

  previewOddsTable: async ({ db, now, config }, { playWayId, rows }) => {
    const ids = [...new Set(rows.map(({ numberId }) => numberId))];
    const { playWay, numbers } = await demandNumbers(db, playWayId, ids, 'rows');
    const nameOf = namesOf(numbers);
    const wanted = rows.map(({ numberId, odds }) => ({ numberId, number: nameOf(numberId), odds }));
    const present = (await listOdds(db, [playWayId])).get(playWayId) ?? [];
    const table = [...present.filter(({ numberId }) => !ids.includes(numberId)), ...wanted];
    const latitudes = await findBetLatitudes(db, [playWay.betLatitudeId]);
    const today = dayOf(now.getTime() / 1000, config.timeZone);
    const returns = await returnsOfRow(db, playWay, table, today);
    const returned = new Map(returns.rows.map((row) => [row.number, row.returned]));
    return {
      name: playWay.name,
      margin: marginOf(latitudes.get(playWay.betLatitudeId), table),
      returnRate: returns.best,
      rows: table.map(({ numberId, number }) => ({ numberId, returnRate: returned.get(number) ?? null })),
    };
  },
});
