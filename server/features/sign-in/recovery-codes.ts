import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

const HOW_MANY = 10;
/** Letters and figures of which none is read for another. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 16;

/** A new code of 80 random bits, in groups of four. */
function newCode(): string {
  const letters = Array.from(randomBytes(LENGTH), (byte) => LETTERS[byte % LETTERS.length]).join('');
  return letters.replace(/(.{4})(?=.)/g, '$1-');
}

/** A code as it is compared: without its dashes, in capitals, with what was read for another letter put right. */
const plain = (code: string): string =>
  code.normalize('NFKC').toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');

const hashOf = (code: string): Buffer => createHash('sha256').update(plain(code)).digest();

/** Whether what was typed has a recovery code's length; a Google code is shorter. */
export const looksLikeRecoveryCode = (code: string): boolean => plain(code).length === LENGTH;

/** Gives an operator new codes in place of all there were; they are known to nobody but whoever gets this answer. */
export async function replaceRecoveryCodes(db: Db, operatorId: number): Promise<string[]> {
  const codes = Array.from({ length: HOW_MANY }, newCode);
  await db.deleteFrom('recovery_code').where('operatorId', '=', operatorId).execute();
  await db
    .insertInto('recovery_code')
    .values(codes.map((code) => ({ operatorId, hash: hashOf(code) })))
    .execute();
  return codes;
}

/** How many codes an operator has left. */
export async function recoveryCodesLeft(db: Db, operatorId: number): Promise<number> {
  const { left } = await db
    .selectFrom('recovery_code')
    .select(({ fn }) => fn.countAll<number>().as('left'))
    .where('operatorId', '=', operatorId)
    .where('spendTime', 'is', null)
    .executeTakeFirstOrThrow();
  return left;
}

/** Whether an operator has this code and has not used it. */
export async function hasRecoveryCode(db: Db, operatorId: number, code: string): Promise<boolean> {
  const row = await db
    .selectFrom('recovery_code')
    .select('hash')
    .where('operatorId', '=', operatorId)
    .where('hash', '=', hashOf(code))
    .where('spendTime', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Uses a code up; false when there is none such or it was used. Of any number that try at once, one does. */
export async function spendRecoveryCode(db: Db, operatorId: number, code: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('recovery_code')
    .set({ spendTime: sql`now()` })
    .where('operatorId', '=', operatorId)
    .where('hash', '=', hashOf(code))
    .where('spendTime', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
