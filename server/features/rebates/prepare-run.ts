import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { errorCode, LOCK_NOT_AVAILABLE } from '#server/db/driver/outage.ts';
import type { Day } from '#server/platform-days.ts';
import { moneyOf } from '../bets/decimal.ts';
import { agentsOn, ratesOn } from './day-rates.ts';
import { turnoverOf } from './day-turnover.ts';
import { invitesOf } from './invites.ts';
import { type Item, itemsOf } from './items.ts';
import { daysToCorrect, dayToPrepare, type Ways, waysOfNow } from './run-days.ts';
import * as rows from './run-rows.ts';
import { partKey, type Share, shareKey, sharesOf } from './shares.ts';
import { keepTurnover } from './turnover-rows.ts';

/** What was worked out for a day by a run: its turnover, and what that gives everybody. */
interface Worked {
  readonly turnover: bigint;
  readonly shares: readonly Share[];
}

async function work(tx: Db, runDay: Day, day: Day, ways: Ways): Promise<Worked> {
  const isReleased = day !== runDay;
  const found = await turnoverOf(tx, day, ways.opposing);
  const rated = await keepTurnover(tx, runDay, day, found);
  const shares = sharesOf(rated, await ratesOn(tx, day, { ownSlips: ways.ownSlips, isReleased }));
  const parts = new Map(shares.map((share) => [partKey(share), share]));
  for (const before of isReleased ? await rows.sharesBefore(tx, day) : []) {
    const key = partKey(before);
    parts.set(key, { ...before, amount: (parts.get(key)?.amount ?? 0n) - before.amount });
  }
  const differing = [...parts.values()].filter(({ amount }) => amount !== 0n);
  const turnover = rated.reduce((sum, each) => sum + each.turnover, 0n);
  await rows.keepShares(tx, runDay, day, differing);
  return { turnover, shares: differing };
}

const digestOf = (items: readonly Item[]): string => {
  const text = items
    .map(({ userId, kind, amount, rest }) => `${userId} ${kind} ${amount} ${rest}`)
    .toSorted()
    .join('\n');
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
};

/** What is due to everybody by all the days that a run works out. */
function dueOf(worked: readonly Worked[]): Map<string, Share> {
  const due = new Map<string, Share>();
  for (const share of worked.flatMap(({ shares }) => shares)) {
    const key = shareKey(share);
    due.set(key, { ...share, amount: share.amount + (due.get(key)?.amount ?? 0n) });
  }
  return due;
}

async function workOut(tx: Db, day: Day): Promise<void> {
  const ways = await waysOfNow(tx);
  await rows.beginRun(tx, day, ways);
  await rows.keepAgents(tx, day, await agentsOn(tx, day));
  const own = await work(tx, day, day, ways);
  const corrected = await daysToCorrect(tx, day);
  const others: Worked[] = [];
  for (const [past, pastWays] of corrected) others.push(await work(tx, day, past, pastWays));
  const rewards = await invitesOf(tx, day);
  await rows.keepRewards(tx, day, rewards);
  const items = await itemsOf(tx, day, dueOf([own, ...others]), rewards);
  await rows.keepItems(tx, day, items);
  await rows.endRun(tx, day, {
    turnover: moneyOf(own.turnover),
    corrected: [...corrected.keys()],
    digest: digestOf(items),
  });
}

/**
 * Works out what the next day that is over would pay, or anew what changed since; tells which day. All of it is one look at the database and
 * one transaction: nothing is left of one that is cut short. Of several servers one does so, while nobody changes what it goes by.
 */
export async function prepareRun(db: Db): Promise<Day | undefined> {
  if ((await dayToPrepare(db)) === undefined) return undefined;
  try {
    return await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (tx) => {
        // Before the look begins, so that it sees what those had done who held the lock.
        await sql`lock table rebate_ground in share row exclusive mode nowait`.execute(tx);
        const day = await dayToPrepare(tx);
        if (day !== undefined) await workOut(tx, day);
        return day;
      });
  } catch (error) {
    if (errorCode(error) === LOCK_NOT_AVAILABLE) return undefined;
    throw error;
  }
}
