import { sql } from 'kysely';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import { errorCode, isPassing } from '#server/db/driver/outage.ts';
import { FetchFailed, fetchBody, HostSilent } from '#server/outbound/fetch-body.ts';
import { Refusal } from '#server/refusal.ts';
import { beaconDeadline, type PromisedBeacon } from '../draw-plans/beacon.ts';
import { type FailedPhase, failedPhase, isNotSetAside, setAside } from '../draw-plans/draw-alarms.ts';
import { SourceUnreadable } from '../spiders/collectors/drawn-result.ts';
import { beaconValueOf } from './beacon-value.ts';

/** Phases looked at in one turn at most; games of one beacon wait for the same rounds and share what is fetched. */
const BATCH = 500;
const LIMIT_MS = 5_000;
/** A round comes a little after its time; until then nobody is alarmed. */
const USUAL_DELAY_SECONDS = 30;

/** A phase whose public value is out by now, on which host. */
interface Awaiting {
  readonly id: number;
  readonly gameId: number;
  readonly phase: string;
  readonly host: string;
  readonly beacon: PromisedBeacon;
}

const host = sql`split_part(c.rules #>> '{beacon,address}', '/', 3)`;

/** What waits, but for values of hosts that are being asked. */
const awaiting = (now: Date, busyHosts: readonly string[]) => sql`
  draw_plan p join draw_commitment c on c."gameId" = p."gameId" and c.phase = p.phase
  where p.status = 'OPENING' and p.commitment is not null and c.rules -> 'beacon' is not null
    and not exists (select from draw_beacon b where b."gameId" = p."gameId" and b.phase = p.phase)
    and ${isNotSetAside(now)} and ${host} <> all(${[...busyHosts]}::text[])`;

/** When the next public value that a draw waits for is published, in epoch milliseconds; nothing when none waits. */
export async function nextBeacon(
  db: Db,
  now: Date,
  busyHosts: readonly string[],
): Promise<number | undefined> {
  const { rows } = await sql<{ at: number | null }>`
    select 1000 * min((c.rules #>> '{beacon,time}')::float8) as at from ${awaiting(now, busyHosts)}`.execute(
    db,
  );
  return rows[0]?.at ?? undefined;
}

/** What is waited for and out by now, by the host that publishes it. */
export async function dueBeacons(
  db: Db,
  now: Date,
  busyHosts: readonly string[],
): Promise<ReadonlyMap<string, readonly Awaiting[]>> {
  const { rows } = await sql<Awaiting>`
    select p.id, c."gameId", c.phase, ${host} as host, c.rules -> 'beacon' as beacon from ${awaiting(now, busyHosts)}
      and (c.rules #>> '{beacon,time}')::float8 <= extract(epoch from ${now}::timestamptz)
    order by p."endTime" limit ${BATCH}`.execute(db);
  return Map.groupBy(rows, (each) => each.host);
}

/** What was published, or why there is nothing yet; `silent` when the host did not answer at all. */
type Answer = { readonly value: string } | { readonly reason: string; readonly silent: boolean };

async function ask(
  { spiderAllowedHosts: allowedHosts }: Config,
  { address, value }: PromisedBeacon,
): Promise<Answer> {
  try {
    const fetched = await fetchBody(address, { allowedHosts }, { limitMs: LIMIT_MS });
    return { value: beaconValueOf(fetched, value) };
  } catch (error) {
    const isTold = [Refusal, FetchFailed, SourceUnreadable].some((kind) => error instanceof kind);
    if (!isTold || !(error instanceof Error)) throw error;
    return { reason: error.message, silent: error instanceof HostSilent };
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

/** Asks one host, each address once; one that does not answer is asked no more. */
function askingOnce(config: Config): (beacon: PromisedBeacon) => Promise<Answer> {
  const answers = new Map<string, Answer>();
  let silence: Answer | undefined;
  return async (beacon) => {
    const key = JSON.stringify([beacon.address, beacon.value]);
    const answer = answers.get(key) ?? silence ?? (await ask(config, beacon));
    answers.set(key, answer);
    if ('silent' in answer && answer.silent) silence = answer;
    return answer;
  };
}

/** Keeps the value that a phase waits for, or tells why there is none. */
async function collect(
  { db, clock }: Services,
  each: Awaiting,
  asked: (beacon: PromisedBeacon) => Promise<Answer>,
): Promise<string | undefined> {
  const { beacon } = each;
  const seconds = clock().getTime() / 1_000;
  if (seconds > beaconDeadline(beacon))
    return `公开随机值在公布后 ${beacon.waitMinutes} 分钟内没有取到，按承诺不再开奖，请作废`;
  const answer = await asked(beacon);
  if ('value' in answer) await keep(db, each, answer.value);
  else if (seconds > beacon.time + USUAL_DELAY_SECONDS) return `公开随机值没有取到：${answer.reason}`;
  return undefined;
}

/**
 * Fetches the public values of one host that draws wait for and keeps the first that comes; the draws follow by themselves. A phase whose
 * value does not come is set aside with an alarm and asked for again, until the promise says that it is given up: then it can only be
 * voided. One that fails holds no other up. Tells which phases have none.
 */
export async function collectBeacons(services: Services, due: readonly Awaiting[]): Promise<FailedPhase[]> {
  const asked = askingOnce(services.config);
  const failed: FailedPhase[] = [];
  for (const each of due) {
    const { gameId, phase } = each;
    try {
      const reason = await collect(services, each, asked);
      if (reason !== undefined) failed.push({ gameId, phase, reason });
    } catch (error) {
      if (isPassing(error)) throw error;
      failed.push(failedPhase(each, error));
    }
  }
  await setAside(services.db, failed, services.clock());
  return failed;
}
