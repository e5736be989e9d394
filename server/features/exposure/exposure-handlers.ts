import { sql } from 'kysely';
import type { Input } from '#contract/endpoint.ts';
import type { Exposure, ExposureOutlook, listExposure } from '#contract/exposure.ts';
import type { Db } from '#server/db/database.ts';
import { handlers } from '#server/http/handler.ts';
import { readParam } from '#server/params/read-param.ts';
import { tenThousandths } from '../bets/decimal.ts';
import { EXPOSURE_DAYS } from '../cleaning/finished-phases.ts';
import { cappedLines } from './capped-lines.ts';
import { cutByNumber, numberKey } from './cut.ts';
import * as store from './exposure-store.ts';
import { givenBackByNumber } from './given-back.ts';
import { moneyOf } from './outlook.ts';
import { outlook } from './phase-outlook.ts';
import { phaseShown } from './phase-shown.ts';

type Asked = Input<typeof listExposure>;

interface Found {
  readonly gameId: number;
  readonly phase: string;
  readonly drawTime: string;
  /** Whether what it exposed has been cleaned away. */
  readonly isOld: boolean;
}

/** The phase that is meant. */
async function phaseOf(db: Db, { gameId, phase }: Asked, now: Date): Promise<Found | undefined> {
  if (gameId === undefined) return undefined;
  const asked = phase ?? (await phaseShown(db, gameId, now));
  if (asked === undefined) return undefined;
  const { rows } = await sql<Pick<Found, 'drawTime' | 'isOld'>>`
    select "endTime" as "drawTime", "endTime" < now() - make_interval(days => ${EXPOSURE_DAYS}) as "isOld"
    from draw_plan where "gameId" = ${gameId} and phase = ${asked}`.execute(db);
  return { gameId, phase: asked, ...(rows[0] ?? { drawTime: '', isOld: false }) };
}

/** A row less what caps take off its payout, and less what its number gives back on others. */
function less(row: Exposure, cut: bigint, givenBack: bigint): Exposure {
  if (cut === 0n && givenBack === 0n) return row;
  const kept = row.result.startsWith('-') ? -tenThousandths(row.result.slice(1)) : tenThousandths(row.result);
  const result = moneyOf(kept + cut - givenBack);
  return { ...row, payout: moneyOf(tenThousandths(row.payout) - cut), result };
}

async function numbersOf(db: Db, { gameId, phase, isOld }: Found): Promise<Exposure[]> {
  if (isOld) return [];
  const rows = await store.listNumbers(db, gameId, phase);
  const exposed = await store.exposedNumbers(db, gameId, phase);
  const ids = [...new Set(exposed.map(({ rulesId }) => rulesId))];
  const lines = (await cappedLines(db, { gameId, phase, rules: ids })) ?? [];
  const pushing = exposed.filter(({ mayPush }) => mayPush);
  const judged = new Set([...lines, ...pushing].map(({ rulesId }) => rulesId));
  const rules = await store.keptRules(db, [...judged]);
  const givenBack = givenBackByNumber(pushing, rules);
  const cut = cutByNumber(lines, rules);
  const whole = new Set(lines.filter(({ isSplit }) => !isSplit).map(({ playWayId }) => playWayId));
  const kept = rows.map((row) => {
    const number = whole.has(row.playWayId) && row.number === row.playWayName ? '' : row.number;
    const key = numberKey(row.playWayId, number);
    return less(row, cut.get(key) ?? 0n, givenBack.get(key) ?? 0n);
  });
  return kept.toSorted(
    (one, other) => one.playWayId - other.playWayId || Number(one.result) - Number(other.result),
  );
}

const nothing = { worst: null, best: null, expected: null, draws: [] };
const OLD = `开奖已超过 ${EXPOSURE_DAYS} 天，单期风险不再保留，结果见盈亏报表`;

async function outlookOfPhase(db: Db, found: Found | undefined): Promise<ExposureOutlook> {
  const above = await readParam(db, 'bet.exposureWarnAbove');
  const warnAbove = Number(above) === 0 ? null : above;
  const head = { phase: found?.phase ?? null, stake: '0.00', warnAbove };
  if (!found) return { ...head, ...nothing, problem: null };
  if (found.isOld) return { ...head, ...nothing, problem: OLD };
  return outlook(db, found, warnAbove);
}

export const exposureHandlers = handlers({
  listExposure: async ({ db, now }, asked) => {
    const found = await phaseOf(db, asked, now);
    return found ? numbersOf(db, found) : [];
  },
  getExposureOutlook: async ({ db, now }, asked) => outlookOfPhase(db, await phaseOf(db, asked, now)),
});
