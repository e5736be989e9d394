import { sql } from 'kysely';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import { errorCode } from '#server/db/driver/outage.ts';
import { FetchFailed, fetchBody } from '#server/outbound/fetch-body.ts';
import { Refusal } from '#server/refusal.ts';
import { beaconDeadline, type PromisedBeacon } from '../draw-plans/beacon.ts';
import { type FailedPhase, isNotSetAside, setAside } from '../draw-plans/draw-alarms.ts';
import { SourceUnreadable } from '../spiders/collectors/drawn-result.ts';
import { beaconValueOf } from './beacon-value.ts';

/** Phases looked at in one turn at most; games of one beacon wait for the same rounds and share what is fetched. */
const BATCH = 500;
const LIMIT_MS = 5_000;
/** A round comes a little after its time; until then nobody is alarmed. */
const USUAL_DELAY_SECONDS = 30;

interface Awaiting {
  readonly gameId: number;
  readonly phase: string;
  readonly beacon: PromisedBeacon;
}

const awaiting = (now: Date) => sql`
  draw_plan p join draw_commitment c on c."gameId" = p."gameId" and c.phase = p.phase
  where p.status = 'OPENING' and p.commitment is not null and c.rules -> 'beacon' is not null
    and not exists (select from draw_beacon b where b."gameId" = p."gameId" and b.phase = p.phase)
    and ${isNotSetAside(now)}`;

/** When the next public value that a draw waits for is published, in epoch milliseconds; nothing when none waits. */
export async function nextBeacon(db: Db, now: Date): Promise<number | undefined> {
  const { rows } = await sql<{ at: number | null }>`
    select 1000 * min((c.rules #>> '{beacon,time}')::float8) as at from ${awaiting(now)}`.execute(db);
  return rows[0]?.at ?? undefined;
}

async function dueBeacons(db: Db, now: Date): Promise<Awaiting[]> {
  const { rows } = await sql<Awaiting>`
    select c."gameId", c.phase, c.rules -> 'beacon' as beacon from ${awaiting(now)}
      and (c.rules #>> '{beacon,time}')::float8 <= extract(epoch from ${now}::timestamptz)
    order by p."endTime" limit ${BATCH}`.execute(db);
  return rows;
}

/** What was published, or why there is nothing yet. */
async function ask(
  { spiderAllowedHosts: allowedHosts }: Config,
  { address, value }: PromisedBeacon,
): Promise<{ value: string } | { reason: string }> {
  try {
    const fetched = await fetchBody(address, { allowedHosts }, { limitMs: LIMIT_MS });
    return { value: beaconValueOf(fetched, value) };
  } catch (error) {
    const isTold = [Refusal, FetchFailed, SourceUnreadable].some((kind) => error instanceof kind);
    if (!isTold || !(error instanceof Error)) throw error;
    return { reason: error.message };
  }
}

/** Another server's value may be there first, and a phase may have been voided meanwhile: then that stands. */
async function keep(db: Db, { gameId, phase }: Awaiting, value: string): Promise<void> {
  try {
    await sql`
      insert into draw_beacon ("gameId", phase, value) values (${gameId}, ${phase}, ${value})
      on conflict do nothing`.execute(db);
  } catch (error) {
    if (errorCode(error) !== 'DR011') throw error;
  }
}

interface Services {
  readonly db: Db;
  readonly config: Config;
  readonly clock: () => Date;
}

/**
 * Fetches the public values that draws wait for and keeps the first that comes; the draws follow by themselves. A phase whose value
 * does not come is set aside with an alarm and asked for again, until the promise says that it is given up: then it can only be
 * voided. Tells which phases have none.
 */
export async function collectBeacons({ db, config, clock }: Services): Promise<FailedPhase[]> {
  const answers = new Map<string, ReturnType<typeof ask>>();
  const failed: FailedPhase[] = [];
  for (const each of await dueBeacons(db, clock())) {
    const { gameId, phase, beacon } = each;
    const seconds = clock().getTime() / 1_000;
    if (seconds > beaconDeadline(beacon)) {
      const reason = `公开随机值在公布后 ${beacon.waitMinutes} 分钟内没有取到，按承诺不再开奖，请作废`;
      failed.push({ gameId, phase, reason });
      continue;
    }
    const key = JSON.stringify([beacon.address, beacon.value]);
    const asked = answers.get(key) ?? ask(config, beacon);
    answers.set(key, asked);
    const answer = await asked;
    if ('value' in answer) await keep(db, each, answer.value);
    else if (seconds > beacon.time + USUAL_DELAY_SECONDS)
      failed.push({ gameId, phase, reason: `公开随机值没有取到：${answer.reason}` });
  }
  await setAside(db, failed, clock());
  return failed;
}
