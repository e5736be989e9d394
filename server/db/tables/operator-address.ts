// Made from the migrated database by `npm run schema`, never by hand.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted, Moment } from '../columns.ts';

export interface OperatorAddressTable {
  id: GeneratedAlways<number>;
  operatorId: number;
  origin: string;
  address: string;
  agent: string;
  firstTime: Defaulted<Moment>;
  lastTime: Defaulted<Moment>;
  noted: boolean;
}
