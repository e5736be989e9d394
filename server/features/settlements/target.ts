import { Decimal } from 'decimal.js';

/** What a draw makes of a line. */
export interface JudgedLine {
  readonly winningUnits: number;
  readonly pushedUnits: number;
  readonly payout: string;
  readonly refund: string;
  readonly status: 'WON' | 'LOST' | 'PUSHED';
}

/** What a line should be: as drawn, void, or as placed while there is no draw. */
export interface LineTarget extends Omit<JudgedLine, 'status'> {
  readonly status: JudgedLine['status'] | 'VOID' | 'PENDING';
}

/** What a slip should be by its lines, and what its player should have got for it in all. */
export interface SlipTarget {
  readonly status: LineTarget['status'];
  readonly payout: string;
  readonly refund: string;
}

const untouched = { winningUnits: 0, pushedUnits: 0, payout: '0', refund: '0' };

/** A void line, whose stake is given back. */
export const voidLine = (stake: string): LineTarget => ({ ...untouched, refund: stake, status: 'VOID' });

/** A line whose phase has no result. */
export const pendingLine: LineTarget = { ...untouched, status: 'PENDING' };

/** The sum of exact decimals. */
export const sum = (amounts: readonly string[]): string =>
  amounts.reduce((total, amount) => total.plus(amount), new Decimal(0)).toFixed();

/** WON if any unit won, else PUSHED if every unit that counts was pushed, else LOST; VOID where none counts. */
function statusOf(lines: readonly LineTarget[]): SlipTarget['status'] {
  const counting = lines.map(({ status }) => status).filter((status) => status !== 'VOID');
  if (counting.length === 0) return 'VOID';
  if (counting.includes('PENDING')) return 'PENDING';
  if (counting.includes('WON')) return 'WON';
  return counting.every((status) => status === 'PUSHED') ? 'PUSHED' : 'LOST';
}

/** What a slip should be by its lines, whatever it was settled to before. */
export const slipTarget = (lines: readonly LineTarget[]): SlipTarget => ({
  status: statusOf(lines),
  payout: sum(lines.map(({ payout }) => payout)),
  refund: sum(lines.map(({ refund }) => refund)),
});
