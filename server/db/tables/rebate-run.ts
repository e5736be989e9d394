// Made from the migrated database by `npm run schema`, never by hand.
import type { Defaulted, Moment } from '../columns.ts';

export interface RebateRunTable {
  day: string;
  status: Defaulted<'PREPARED' | 'PAYING' | 'DONE'>;
  stale: Defaulted<boolean>;
  seenTime: Moment;
  opposing: 'BOTH' | 'DIFFERENCE';
  ownSlips: boolean;
  turnover: Defaulted<string>;
  unsettled: Defaulted<number>;
  corrected: Defaulted<string[]>;
  payees: Defaulted<number>;
  rebate: Defaulted<string>;
  returned: Defaulted<string>;
  invited: Defaulted<string>;
  digest: Defaulted<string>;
  prepareTime: Defaulted<Moment>;
  operatorId: number | null;
  userName: string | null;
  releaseTime: Moment | null;
  doneTime: Moment | null;
}
