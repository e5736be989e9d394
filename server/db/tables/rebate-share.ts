// Made from the migrated database by `npm run schema`, never by hand.
export interface RebateShareTable {
  runDay: string;
  day: string;
  userId: number;
  kind: 'REBATE' | 'RETURN';
  agents: number[];
  amount: string;
}
