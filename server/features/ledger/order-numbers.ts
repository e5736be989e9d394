/**
 * The order number under which a slip stands in the ledger: its stake and what its first settlement moves bear `B<slip>`, what a later
 * settlement moves `B<slip>/<settlement>`. Such numbers are ours alone; the players' site is refused them (`foreignOrderNo`).
 */
export const slipOrderNo = (slipId: number, settlement = 1): string =>
  settlement === 1 ? `B${slipId}` : `B${slipId}/${settlement}`;
