import { Refusal } from '#server/refusal.ts';
import { findOverlap, rangeText, type TimeRange } from '../draw-plans/bet-time-ranges.ts';

/** Refuses ranges of one game that share a moment, or whose draws come before betting could open. */
export function demandRangesFit(ranges: readonly TimeRange[], stopBetSecond: number, field: string): void {
  const overlap = findOverlap(ranges);
  if (overlap) {
    const [one, other] = overlap;
    throw new Refusal('betTimeOverlap', {
      field,
      values: { range: rangeText(one), other: rangeText(other) },
    });
  }
  const tooFast = ranges.find(({ openRate }) => openRate && openRate <= stopBetSecond);
  if (tooFast)
    throw new Refusal('betTimeTooFast', { field, values: { range: rangeText(tooFast), stopBetSecond } });
}
