// Made from the migrated database by `npm run schema`, never by hand.
import type { Moment } from '../columns.ts';

export interface SealTable {
  kind:
    | 'LEDGER'
    | 'DEBT'
    | 'CHANGE'
    | 'DRAW'
    | 'CORRECTION'
    | 'SLIP'
    | 'OUTCOME'
    | 'RULES'
    | 'PROMISE'
    | 'SOURCE'
    | 'CORRECTED_SOURCE';
  no: number;
  firstNo: number;
  rows: number;
  fromId: number;
  toId: number;
  late: boolean;
  fromTime: Moment;
  toTime: Moment;
  digest: Buffer;
  marks: Buffer;
  mac: Buffer;
  createTime: Moment;
}
