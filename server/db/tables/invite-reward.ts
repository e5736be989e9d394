// Made from the migrated database by `npm run schema`, never by hand.
export interface InviteRewardTable {
  invitedId: number;
  inviterId: number;
  runDay: string;
  deposit: string;
  turnover: string;
  amount: string;
}
