import { Decimal } from 'decimal.js';
import { sql } from 'kysely';
import type { Input } from '#contract/endpoint.ts';
import { moneyText } from '#contract/money-text.ts';
import type { addParamSetting } from '#contract/param-settings.ts';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import { demandWebUrlIn } from '#server/outbound/fetch-body.ts';
import { amountPairs, isKnownParam, knownParams, type ParamKey } from '#server/params/known-params.ts';
import { readParam } from '#server/params/read-param.ts';
import { Refusal, wrong } from '#server/refusal.ts';

/** What an operator says of a parameter. */
export type ParamFields = Input<typeof addParamSetting>;

const wrongValue = (message: string) => wrong('value', message);

/** Throws `invalid` at the value unless a known parameter can have it; what the product does not read is free text. */
export function demandFittingValue(
  { key, value }: Pick<ParamFields, 'key' | 'value'>,
  { spiderAllowedHosts: allowedHosts }: Pick<Config, 'spiderAllowedHosts'>,
): void {
  if (!isKnownParam(key)) return;
  const result = knownParams[key].schema.safeParse(value);
  if (!result.success) throw wrongValue(`参数值${result.error.issues[0]?.message ?? '不正确'}`);
  // What is never sent to would be found out by the anchors that do not arrive.
  if (key === 'anchor.webhookUrl' && result.data !== '')
    demandWebUrlIn('value', String(result.data), { allowedHosts });
}

const pairOf = (key: string) => amountPairs.find((keys) => keys.some((each) => each === key));

/** Before a change, in its transaction: two who change one amount each of a pair would not see each other's. */
export async function lockAmounts(db: Db, key: string): Promise<void> {
  const pair = pairOf(key);
  if (pair) await sql`select pg_advisory_xact_lock(hashtextextended(${pair[0]}, 0))`.execute(db);
}

/** After a change, in its transaction: no highest amount below its lowest, where 0 is no limit. Throws `invalid`. */
export async function demandAmountsInOrder(db: Db, changed: string): Promise<void> {
  const pair = pairOf(changed);
  if (!pair) return;
  const [lowest, highest] = await Promise.all(pair.map((key) => amountOf(db, key)));
  if (lowest && highest && !highest.isZero() && highest.lessThan(lowest))
    throw wrongValue('最高金额不能小于最低金额');
}

const amountOf = async (db: Db, key: ParamKey) => new Decimal(String(await readParam(db, key)));

/** An order placed by the players' site must keep to the parameters' limits, where 0 is none. Throws `amountOutOfLimits`. */
export async function demandAmountWithinLimits(
  db: Db,
  what: 'deposit' | 'withdraw',
  amount: string,
): Promise<void> {
  const lowest = await amountOf(db, `${what}.minAmount`);
  const highest = await amountOf(db, `${what}.maxAmount`);
  const refused = (limit: string) => new Refusal('amountOutOfLimits', { field: 'amount', values: { limit } });
  if (lowest.greaterThan(amount)) throw refused(`低于 ${moneyText(lowest.toFixed())}`);
  if (!highest.isZero() && highest.lessThan(amount)) throw refused(`高于 ${moneyText(highest.toFixed())}`);
}
