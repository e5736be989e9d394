// Made from the migrated database by `npm run schema`, never by hand.
export interface RebateAgentTable {
  runDay: string;
  agentId: number;
  userId: number;
  rate: string;
}
