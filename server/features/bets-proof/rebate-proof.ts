import type { Db } from '#server/db/database.ts';
import { amountText, tenThousandths } from './line.ts';
import { inOneSnapshot } from './one-snapshot.ts';
import * as rows from './rebate-rows.ts';
import { everyTies, playedTurnover, turnoverKey } from './turnover-proof.ts';

const MILLION = 1_000_000n;
/** A share in millionths. */
const millionths = (rate: string): bigint => {
  const [whole = '0', part = ''] = rate.split('.');
  return BigInt(whole) * MILLION + BigInt(part.padEnd(6, '0').slice(0, 6));
};

function rateOn(rates: readonly rows.KeptRate[], { level, categoryId }: rows.KeptTurnover, day: string) {
  const own = rates.filter(
    (each) => each.level === level && each.categoryId === categoryId && each.validFrom <= day,
  );
  const latest = own.reduce<rows.KeptRate | undefined>(
    (last, each) => (!last || each.validFrom > last.validFrom ? each : last),
    undefined,
  );
  return latest ? millionths(latest.rate) : 0n;
}

/** What everybody should have got for a day by what was turned over: kind and payee, in ten-thousandths. */
function wantedShares(
  { day, ownSlips }: rows.ReleasedDay,
  turnover: readonly rows.KeptTurnover[],
  rates: readonly rows.KeptRate[],
  agents: readonly rows.KeptAgent[],
): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  const add = (key: string, product: bigint) => sums.set(key, (sums.get(key) ?? 0n) + product);
  const known = new Map(agents.map((agent) => [String(agent.agentId), agent]));
  for (const each of turnover) {
    const played = tenThousandths(each.turnover);
    add(`REBATE ${each.userId}`, played * rateOn(rates, each, day));
    const chain = each.chain.split(',').flatMap((id) => known.get(id) ?? []);
    for (const [place, { userId, rate }] of chain.entries()) {
      const below = chain.slice(0, place).map((agent) => millionths(agent.rate));
      const most = below.toSorted((one, other) => Number(one - other)).at(-1) ?? 0n;
      const own = millionths(rate);
      if (own > most && (userId !== each.userId || ownSlips)) add(`RETURN ${userId}`, played * (own - most));
    }
  }
  return new Map([...sums].map(([key, product]) => [key, product / MILLION]));
}

/** Where two lists of amounts differ; what is in neither is nothing. */
function differences(what: string, is: ReadonlyMap<string, bigint>, wanted: ReadonlyMap<string, bigint>) {
  return [...new Set([...is.keys(), ...wanted.keys()])].flatMap((key) => {
    const [one, other] = [is.get(key) ?? 0n, wanted.get(key) ?? 0n];
    return one === other ? [] : [`${what} ${key} 应为 ${amountText(other)}，记为 ${amountText(one)}`];
  });
}

async function problemsOfDay(tx: Db, released: rows.ReleasedDay, rates: readonly rows.KeptRate[]) {
  const { day, opposing, isTouched } = released;
  const kept = await rows.readTurnover(tx, day);
  const shares = await rows.readShares(tx, day);
  const given = new Map(
    shares.map(({ userId, kind, amount }) => [`${kind} ${userId}`, tenThousandths(amount)]),
  );
  const wanted = wantedShares(released, kept, rates, await rows.readAgents(tx, day));
  const wrong = differences(`${day} 应得`, given, wanted);
  // What was settled otherwise since is made up for by the next run.
  if (isTouched) return wrong;
  const lines = await rows.readPlayed(tx, day);
  const rules = await rows.readPlayedRules(tx, [...new Set(lines.map(({ rulesId }) => rulesId))]);
  const seen = new Map(
    kept.map((each) => [turnoverKey(each.userId, each.gameId, each.chain), tenThousandths(each.turnover)]),
  );
  const [now, before] = everyTies.map((ties) => playedTurnover(lines, rules, opposing, ties));
  // A day that was seen by the way of before is right by that.
  const played = new Map(
    [...(now ?? [])].map(([key, amount]) => {
      const former = before?.get(key) ?? 0n;
      return [key, seen.get(key) === former ? former : amount];
    }),
  );
  return [...wrong, ...differences(`${day} 有效投注`, seen, played)];
}

/** All that is wrong with rebates that were released, within one look at the database. */
export async function problemsWithin(tx: Db): Promise<string[]> {
  const rates = await rows.readRates(tx);
  const wrong: string[] = [];
  for (const day of await rows.readReleasedDays(tx)) wrong.push(...(await problemsOfDay(tx, day, rates)));
  return [...wrong, ...(await rows.readDisagreements(tx))];
}

/** All that is wrong with rebates that were released: turnover, shares, what was carried, and what the ledger moved. */
export const problemsOfRebates = (db: Db): Promise<string[]> => inOneSnapshot(db, problemsWithin);
