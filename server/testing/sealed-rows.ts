import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { Anchor } from '#server/features/seals/anchor.ts';
import { proveSeals } from '#server/features/seals/prove-seals.ts';
import { createVault } from '#server/vault.ts';

/** Under whose key the tests seal. */
export const vault = createVault(Buffer.alloc(32, 'seal'));

/** A row of the ledger. */
export const post = (on: Db, userId: number, number: string) =>
  sql`select from post_entries(array[${userId}]::bigint[], array['RECHARGE'], array[10.5]::numeric[], array[${number}], array['备注'])`.execute(
    on,
  );

/** A change record. */
export const note = (on: Db, userName: string) =>
  sql`insert into change_record ("userName", call, summary, input, address, outcome)
    values (${userName}, 'addRole', '新增角色', '{"name":"x"}', '127.0.0.1', 'SUCCESS')`.execute(on);

export const prove = (on: Db, anchors: Anchor[] = []) =>
  proveSeals(on, vault, { timeZone: 'Asia/Shanghai', anchors });

/** What a proof tells, a line each. */
export const problems = async (on: Db, anchors: Anchor[] = []) =>
  (await prove(on, anchors)).problems.map(({ problem }) => problem).join('\n');
