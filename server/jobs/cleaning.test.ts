import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listParamSettings, updateParamSetting } from '#contract/param-settings.ts';
import { addRole } from '#contract/roles.ts';
import { connect } from '#server/db/database.ts';
import { cleanings } from '#server/features/cleaning/cleanings.ts';
import { cleanPhases, limitCounters } from '#server/features/cleaning/finished-phases.ts';
import { buildPhase } from '#server/testing/build-slips.ts';
import { rowsRead } from '#server/testing/rows-read.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { cleanAll } from './cleaning.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const warned: object[] = [];
const log = { info: () => {}, warn: (details: object) => warned.push(details), error: () => {} };
beforeEach(() => {
  warned.length = 0;
});
const clean = (batch = 7) => cleanAll({ db: server.db, log }, { batch });
const count = async (table: string, where = 'true'): Promise<number> => {
  const { rows } = await sql<{
    n: number;
  }>`select count(*)::int as n from ${sql.table(table)} where ${sql.raw(where)}`.execute(server.db);
  return rows[0]?.n ?? -1;
};

async function setParam(key: string, value: string) {
  const admin = await server.admin();
  const param = ((await admin.call(listParamSettings, {})).envelope.data ?? []).find(
    (each) => each.key === key,
  );
  if (!param) throw new Error(`no parameter ${key}`);
  return (await admin.call(updateParamSetting, { ...param, value })).envelope;
}

const OPERATOR = sql`(select min(id) from operator)`;
/** Change records cannot be made old by the application; a superuser's way is not at hand, so they are inserted old. */
const recordOf = (age: string) =>
  sql`
  insert into change_record ("createTime", "userName", call, summary, input, address, outcome)
  select now() - ${age}::interval, 'old', 'c', 's', '{}', 'a', 'SUCCESS' from generate_series(1, 20)`.execute(
    server.db,
  );

describe('what is kept for a time', () => {
  it('idempotency keys go after 24 hours, in batches, and not before', async () => {
    await sql`insert into idempotency_key ("operatorId", key, "requestHash", "createTime")
      select 1, n, '', now() - case when n <= 20 then interval '25 hours' else interval '23 hours' end from generate_series(1, 30) n`.execute(
      server.db,
    );
    // A server that stops leaves the rest to the others.
    await cleanAll({ db: server.db, log }, { batch: 7, isStopped: () => true });
    expect(await count('idempotency_key')).toBe(30);
    await clean();
    expect(await count('idempotency_key')).toBe(10);
  });

  it('words of sources go a day after their phase was drawn, and after 90 days where it never was', async () => {
    const { gameId } = await buildPhase(server.db, '1');
    await sql`insert into draw_record ("gameId", phase, result, "openTime") values (${gameId}, '1', '1,2', now())`.execute(
      server.db,
    );
    await sql`
      insert into draw_word ("gameId", phase, source, result, "openTime", "createTime")
      select ${gameId}::bigint, phase, age || n, '1,2', now(), now() - age::interval
      from (values ('1', '25 hours'), ('1', '23 hours'), ('2', '89 days'), ('3', '91 days')) as w (phase, age), generate_series(1, 10) n`.execute(
      server.db,
    );
    await clean();
    expect(await count('draw_word', `phase = '1' and "createTime" > now() - interval '1 day'`)).toBe(10);
    expect(await count('draw_word', `phase = '2'`)).toBe(10);
    expect(await count('draw_word')).toBe(20);
  });

  it('counters of limits go two days after a draw and exposure after thirty, some rows at a time; those of later ones stay', async () => {
    const { gameId } = await buildPhase(server.db, '1');
    const ages = [0, 1, 3, 29, 31, 400];
    await sql`
      insert into draw_plan ("gameId", phase, "startTime", "endTime")
      select ${gameId}::bigint, 'age ' || d, now() - (d + 0.1) * interval '1 day', now() - d * interval '1 day' from unnest(${ages}::int[]) as d`.execute(
      server.db,
    );
    const left = async (table: string) => {
      const { rows } = await sql<{ phase: string; n: number }>`
        select phase, count(*)::int as n from ${sql.table(table)} where "gameId" = ${gameId} group by 1 order by length(phase), 1`.execute(
        server.db,
      );
      return rows.map(({ phase, n }) => `${phase}: ${n}`);
    };
    await sql`
      insert into limit_counter ("gameId", phase, kind, scope, owner, number, taken)
      select ${gameId}::bigint, 'age ' || d, 'NUMBER', '', 1, n::text, 1 from unnest(${ages}::int[]) as d, generate_series(1, 20) as n`.execute(
      server.db,
    );
    await sql`
      insert into exposure ("gameId", phase, "playWayId", "rulesId", number, stake, units, payout)
      select ${gameId}::bigint, 'age ' || d, 1, 1, n::text, 1, 1, 1 from unnest(${ages}::int[]) as d, generate_series(1, 20) as n`.execute(
      server.db,
    );
    await sql`
      insert into exposure_choice ("gameId", phase, "rulesId", hash, selection, stake, "unitStake")
      select ${gameId}::bigint, 'age ' || d, n, '', '1', 1, 1 from unnest(${ages}::int[]) as d, generate_series(1, 5) as n`.execute(
      server.db,
    );
    // Nothing of this was there when the tests before cleaned.
    await sql`update phase_cleaning set "endTime" = '-infinity'`.execute(server.db);
    expect(await cleanPhases(server.db, limitCounters, 7)).toBe(7);
    expect(await left('limit_counter')).toHaveLength(6);
    await clean();
    expect(await left('limit_counter')).toEqual(['age 0: 20', 'age 1: 20']);
    expect(await left('exposure')).toEqual(['age 0: 20', 'age 1: 20', 'age 3: 20', 'age 29: 20']);
    expect(await left('exposure_choice')).toEqual(['age 0: 5', 'age 1: 5', 'age 3: 5', 'age 29: 5']);
    expect(warned).toEqual([]);
  });

  it('what waits for a moment told by a clock that was ahead and set back since waits no longer; its place is the present', async () => {
    const { db } = server;
    const { gameId } = await buildPhase(db, '1');
    const name = `waiting ${gameId}`;
    await sql`insert into spider ("gameId", name, "spiderServiceName", "nextRunTime") values
      (${gameId}, ${name}, 'JsonSpider', now() + interval '1 year'), (${gameId}, 'soon', 'JsonSpider', now() + interval '9 minutes')`.execute(
      db,
    );
    await sql`insert into outbound_host values (${name}, now() + interval '1 hour')`.execute(db);
    await sql`insert into mail_outbox (template, "to", "nextTime") values (${name}, 'a@b.c', now() + interval '1 day')`.execute(
      db,
    );
    await sql`insert into draw_alarm ("gameId", phase, reason, "createTime", "lastTime", "nextTime")
      values (${gameId}, '1', '', now(), now(), now() + interval '1 day')`.execute(db);
    await sql`insert into sign_in_failure (kind, subject, count, "blockedUntil") values ('account', ${name}, 9, now() + interval '1 year')`.execute(
      db,
    );
    await sql`update phase_cleaning set "endTime" = now() + interval '1 year'`.execute(db);
    await clean();
    expect(warned).toEqual([]);
    expect(await count('spider', `name = '${name}' and "nextRunTime" <= now()`)).toBe(1);
    expect(
      await count('spider', `"gameId" = ${gameId} and name = 'soon' and "nextRunTime" > now()`),
      'what waits as it should goes on waiting',
    ).toBe(1);
    expect(await count('outbound_host', `host = '${name}' and "nextTime" <= now()`)).toBe(1);
    expect(await count('mail_outbox', `template = '${name}' and "nextTime" <= now()`)).toBe(1);
    expect(await count('draw_alarm', `"gameId" = ${gameId} and "nextTime" <= now()`)).toBe(1);
    expect(await count('sign_in_failure', `subject = '${name}' and "blockedUntil" <= now()`)).toBe(1);
    expect(await count('phase_cleaning', `"endTime" > now()`)).toBe(0);
    await sql`delete from mail_outbox where template = ${name}`.execute(db);
  });

  it('tokens go when they expire, and sessions with the last of them; those in use stay', async () => {
    const admin = await server.admin();
    await sql`insert into session (id, "operatorId", address) select gen_random_uuid(), ${OPERATOR}, 'gone' from generate_series(1, 20)`.execute(
      server.db,
    );
    await sql`insert into refresh_token (hash, "sessionId", "expireTime")
      select sha256(id::text::bytea), id, now() - interval '1 minute' from session where address = 'gone'`.execute(
      server.db,
    );
    await sql`insert into access_token (hash, "sessionId", "expireTime")
      select sha256(id::text::bytea), id, now() - interval '1 minute' from session where address = 'gone'`.execute(
      server.db,
    );
    // One of a session in use that was spent and has expired, and one that may still be sent again by who stole it.
    await sql`insert into refresh_token (hash, "sessionId", "expireTime", "spendTime")
      select sha256(n::text::bytea), (select id from session where address <> 'gone' limit 1), now() + n * interval '1 hour', now() from (values (-1), (1)) as v (n)`.execute(
      server.db,
    );
    await clean();
    expect(await count('session', `address = 'gone'`)).toBe(0);
    expect(await count('session')).toBeGreaterThan(0);
    expect(await count('refresh_token', `"expireTime" < now()`)).toBe(0);
    expect(await count('refresh_token', `"spendTime" is not null`)).toBe(1);
    expect(await count('access_token', `"expireTime" < now()`)).toBe(0);
    expect((await admin.call(listParamSettings, {})).envelope.success).toBe(true);
  });

  it('mails go after the days of their parameter once they were sent or given up', async () => {
    await sql`insert into mail_outbox (template, "to", status, "createTime")
      select 'LOGIN', 'a@example.com', status, now() - days * interval '1 day' from generate_series(1, 10),
        unnest(array['PENDING', 'SENDING', 'SENT', 'FAILED']) as status, unnest(array[5, 100, 400]) as days`.execute(
      server.db,
    );
    await clean();
    expect(await count('mail_outbox')).toBe(100);
    expect(await setParam('retention.mailDays', '6')).toMatchObject({
      msg: '参数值不能少于 7 天（0 为永久保留）',
      success: false,
    });
    await setParam('retention.mailDays', '0');
    await clean();
    expect(await count('mail_outbox')).toBe(100);
    await setParam('retention.mailDays', '30');
    await clean();
    expect(await count('mail_outbox', `status in ('SENT', 'FAILED')`)).toBe(20);
    expect(await count('mail_outbox', `status in ('PENDING', 'SENDING')`)).toBe(60);
  });

  it('mails that stay are not looked through each time some have gone', async () => {
    const { db } = server;
    const mails = cleanings.find(({ what }) => what === 'mails');
    if (!mails) throw new Error('nobody cleans mails');
    await sql`delete from mail_outbox where "to" like 'many%'`.execute(db);
    await sql`insert into mail_outbox (template, "to", status, "createTime")
      select 'LOGIN', 'many@example.com', 'SENT', now() - n * interval '5 minutes' from generate_series(1, 10000) n`.execute(
      db,
    );
    await sql`analyze mail_outbox`.execute(server.database.owner);
    await clean(1_000);
    expect(await count('mail_outbox', `"to" like 'many%'`)).toBe(30 * 24 * 12 - 1);
    const read = await rowsRead(db, ['mail_outbox'], async (tx) => {
      // By the figures of before, as the database has them for days, it expects many to be old, as with any other value.
      await sql`set local plan_cache_mode = force_generic_plan`.execute(tx);
      expect(await mails.clean(tx, 1_000)).toBe(0);
    });
    // Those that have just gone are still passed over where somebody else began before they went.
    expect(read).toBeLessThan(3_000);
    await sql`delete from mail_outbox where "to" like 'many%'`.execute(db);
  });

  it('change records go after the days of their parameter, at least 90', async () => {
    await recordOf('4 years');
    await recordOf('91 days');
    await recordOf('89 days');
    await clean();
    expect(await count('change_record', `"userName" = 'old'`)).toBe(40);
    expect((await setParam('retention.changeRecordDays', '89')).success).toBe(false);
    expect((await setParam('retention.changeRecordDays', '9999999')).success).toBe(false);
    await sql`update param_setting set value = '1' where key = 'retention.changeRecordDays'`.execute(
      server.db,
    );
    await clean();
    expect(await count('change_record', `"userName" = 'old'`)).toBe(20);
    await recordOf('9 years');
    await setParam('retention.changeRecordDays', '0');
    await clean();
    expect(await count('change_record', `"userName" = 'old'`)).toBe(40);
    await setParam('retention.changeRecordDays', '1095');
    await clean();
    expect(await count('change_record', `"userName" = 'old'`)).toBe(20);
  });
});

describe('what waits for a second operator', () => {
  it('goes with the change records of its time once it is decided or over, and never while it can be released', async () => {
    await setParam('retention.changeRecordDays', '1095');
    const approvals = [
      ['long ago, still waiting', '4 years', 'PENDING', '1 hour'],
      ['long ago, over', '4 years', 'PENDING', '-1 hour'],
      ['long ago, released', '4 years', 'RELEASED', '-3 years'],
      ['lately, rejected', '1 day', 'REJECTED', '-1 hour'],
    ];
    for (const [summary, age, status, due] of approvals)
      await sql`
        insert into approval ("createTime", "expireTime", status, "decideTime", summary, call, release, why, input, digest, sealed,
          "makerId", maker, "makerSession", "makerAddress", "makerAgent")
        values (now() - ${age}::interval, now() + ${due}::interval, ${status}, case when ${status} <> 'PENDING' then now() end, ${summary},
          'c', 'approval:release:money', 'w', '{}', '', case when ${status} = 'PENDING' then 'typed'::bytea end, 0, 'm', gen_random_uuid(), '', '')`.execute(
        server.db,
      );
    await clean();
    const { rows } = await sql<{ summary: string; typed: boolean }>`
      select summary, sealed is not null as typed from approval order by id`.execute(server.db);
    expect(rows).toEqual([
      { summary: 'long ago, still waiting', typed: true },
      { summary: 'lately, rejected', typed: false },
    ]);
  });
});

describe('the change record', () => {
  it('is deleted from by nobody else, however old a record is', async () => {
    await recordOf('9 years');
    const denied = { code: '42501' };
    const attempts = [
      sql`delete from change_record where "createTime" < now() - interval '5 years'`,
      sql`update change_record set msg = '' where "createTime" < now() - interval '5 years'`,
      sql`truncate change_record`,
    ];
    for (const attempt of attempts) await expect(attempt.execute(server.db)).rejects.toMatchObject(denied);
    await clean();
    for (const attempt of attempts) await expect(attempt.execute(server.db)).rejects.toMatchObject(denied);
  });

  it('loses nothing young to one who was granted the right', async () => {
    await (await server.admin()).call(addRole, { desc: '新', name: 'young' });
    await sql`grant delete, update, truncate on change_record to public`.execute(server.database.owner);
    for (const attempt of [
      sql`delete from change_record`,
      sql`update change_record set msg = ''`,
      sql`truncate change_record`,
    ])
      await expect(attempt.execute(server.db)).rejects.toMatchObject({ code: '42501' });
    await sql`revoke delete, update, truncate on change_record from public`.execute(server.database.owner);
  });
});

describe('cleaning', () => {
  it('goes on past what fails, and says so', async () => {
    const kinds = [
      { what: 'broken', clean: () => Promise.reject(new Error('no')) },
      { what: 'sound', clean: async () => 0 },
    ];
    let reached = 0;
    const last = async () => {
      reached++;
      return 0;
    };
    const failed = await cleanAll(
      { db: server.db, log },
      { kinds: [...kinds, { what: 'last', clean: last }] },
    );
    expect(reached).toBe(1);
    expect(failed).toEqual(['broken']);
    expect(warned).toEqual([{ what: 'broken', error: 'no' }]);
  });

  it('waits for no row that somebody holds, and servers that clean together share it out', async () => {
    await sql`insert into idempotency_key ("operatorId", key, "requestHash", "createTime")
      select 2, n, '', now() - interval '2 days' from generate_series(1, 200) n`.execute(server.db);
    const other = connect(server.database.url, { timeZone: 'Asia/Shanghai', max: 1 });
    await other.transaction().execute(async (tx) => {
      await sql`select from idempotency_key where key = '7' for update`.execute(tx);
      await Promise.all(Array.from({ length: 4 }, () => clean(20)));
      expect(await count('idempotency_key', '"operatorId" = 2')).toBe(1);
    });
    await other.destroy();
    await clean();
    expect(await count('idempotency_key', '"operatorId" = 2')).toBe(0);
    expect(warned).toEqual([]);
  });
});
