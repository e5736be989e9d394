import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { deleteSome } from '#server/db/delete-some.ts';
import { readParam } from '#server/params/read-param.ts';
import { deleteOldApprovals, forgetExpired } from '../approvals/approval-store.ts';
import { deleteOldWords } from '../draw-records/agreement.ts';
import { deleteOldHappenings } from '../live/happening-store.ts';
import { deleteOldLoginRecords } from '../login-records/login-record-store.ts';
import { deleteOldAddresses } from '../sign-in-notices/operator-address-store.ts';
import { endFarWaits } from './clock-set-back.ts';
import { cleanPhases, exposures, limitCounters } from './finished-phases.ts';

/**
 * What is taken away when its time is over: `clean` deletes `most` rows at most in one statement and tells how many. Rows
 * that somebody holds are left for the next time, so any number of servers may clean at once.
 */
export interface Cleaning {
  readonly what: string;
  clean(db: Db, most: number): Promise<number>;
}

/** Keys are promised for 24 hours, and free again afterwards. */
const idempotencyKeys: Cleaning = {
  what: 'idempotency keys',
  clean: (db, most) =>
    deleteSome(db, most, {
      table: 'idempotency_key',
      key: ['operatorId', 'key'],
      where: sql`"createTime" < now() - interval '24 hours'`,
      order: ['createTime'],
    }),
};

const expiredTokens = (table: 'access_token' | 'refresh_token'): Cleaning => ({
  what: `${table}s`,
  clean: (db, most) =>
    deleteSome(db, most, { table, key: ['hash'], where: sql`"expireTime" < now()`, order: ['expireTime'] }),
});

/** A session without a token that can be refreshed or used is over, whether its operator comes back or not. */
const deadSessions: Cleaning = {
  what: 'sessions',
  clean: (db, most) =>
    deleteSome(db, most, {
      table: 'session',
      where: sql`not exists (
        select from refresh_token t where t."sessionId" = r.id and t."expireTime" > now()
        union all select from access_token t where t."sessionId" = r.id and t."expireTime" > now())`,
    }),
};

/** Mails on their way stay however old they are. */
const oldMails: Cleaning = {
  what: 'mails',
  clean: async (db, most) => {
    const days = await readParam(db, 'retention.mailDays');
    if (days === 0) return 0;
    const where = sql<boolean>`status in ('SENT', 'FAILED') and "createTime" < now() - make_interval(days => ${days})`;
    return deleteSome(db, most, { table: 'mail_outbox', where, order: ['createTime', 'id'] });
  },
};

/** The database knows how long they are kept, and lets nothing else delete them. */
const oldChangeRecords: Cleaning = {
  what: 'change records',
  clean: async (db, most) => {
    const { rows } = await sql<{ deleted: number }>`
      select delete_old_change_records(${most}) as deleted`.execute(db);
    return rows[0]?.deleted ?? 0;
  },
};

/** The log of sign-ins is kept for as long as its parameter says. */
const oldLoginRecords: Cleaning = { what: 'login records', clean: deleteOldLoginRecords };

/** A place not signed in from for as long as the log goes back is new again. */
const oldAddresses: Cleaning = { what: 'operator addresses', clean: deleteOldAddresses };

/** What was typed may hold secrets; what waited for nobody needs them no more. */
const expiredApprovals: Cleaning = { what: 'typed words of expired approvals', clean: forgetExpired };

/** They go when the lines of the change record that tell of them go. */
const oldApprovals: Cleaning = { what: 'approvals', clean: deleteOldApprovals };

/** What sources said of a phase is of no use once it has its result, and nobody waits for ever. */
const oldWords: Cleaning = { what: 'words of sources', clean: deleteOldWords };

/** What operators were told of at once. */
const oldHappenings: Cleaning = { what: 'happenings', clean: deleteOldHappenings };

/** Nobody bets on a phase that is over. */
const oldLimitCounters: Cleaning = {
  what: 'counters of limits',
  clean: (db, most) => cleanPhases(db, limitCounters, most),
};

/** What became of a phase stands in the report for good. */
const oldExposure: Cleaning = {
  what: 'exposure of phases',
  clean: (db, most) => cleanPhases(db, exposures, most),
};

/** No limit asks what was lost before the month that runs, nor the proof of bets. */
const oldLosses = (table: 'player_loss' | 'player_loss_delta'): Cleaning => ({
  what: table === 'player_loss' ? 'losses of players' : 'changes of losses of players',
  clean: async (db, most) => {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where day < current_date - 62 limit ${most} for update skip locked))`.execute(
      db,
    );
    return Number(numAffectedRows ?? 0);
  },
});

/** Whatever was to be tried again waits no longer than it ever should. */
const farWaits: Cleaning = { what: 'waits by a clock that was ahead', clean: endFarWaits };

/** All of them, one line each. The ledger, orders and draws are kept for good. */
export const cleanings: readonly Cleaning[] = [
  idempotencyKeys,
  expiredTokens('access_token'),
  expiredTokens('refresh_token'),
  deadSessions,
  oldMails,
  oldChangeRecords,
  expiredApprovals,
  oldApprovals,
  oldLoginRecords,
  oldAddresses,
  oldWords,
  oldHappenings,
  oldLimitCounters,
  oldExposure,
  oldLosses('player_loss'),
  oldLosses('player_loss_delta'),
  farWaits,
];
