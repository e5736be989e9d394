// Made from the migrated database by `npm run schema`, never by hand.
import type { Defaulted, Moment } from '../columns.ts';

export interface TurnoverMarkTable {
  one: Defaulted<boolean>;
  endTime: Moment;
  settlementId: Defaulted<number>;
  waysSince: Defaulted<Moment>;
}
