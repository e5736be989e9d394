import { hostname } from 'node:os';
import { noOperators } from '#contract/no-operators.ts';
import type { Db } from '#server/db/database.ts';
import { type Change, recordChange } from '#server/http/change-record.ts';

type Done = Omit<Change, 'operatorId' | 'userName' | 'address' | 'outcome'>;

/** Writes down what a command on the server has done in the place of a call: no operator made it. */
export const recordCommand = (db: Db, done: Done): Promise<void> =>
  recordChange(db, {
    ...done,
    operatorId: 0,
    userName: noOperators.command,
    address: hostname(),
    outcome: 'SUCCESS',
  });
