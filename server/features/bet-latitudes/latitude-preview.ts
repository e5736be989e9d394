import type { LatitudePreview } from '#contract/bet-latitudes.ts';
import { type Bettable, shownWinners } from '../bets/shown.ts';
import { Unreadable } from '../result-handlers/result-handler.ts';
import { type ReadableLatitude, winningNumbers } from '../result-handlers/winning-numbers.ts';
import type { LatestResult } from './bet-latitude-store.ts';

/** What a latitude makes of one result for all that can be bet on, or why it cannot read it. */
export function previewBetLatitude(
  latitude: ReadableLatitude,
  bettable: Bettable,
  drawn: LatestResult,
): LatitudePreview {
  try {
    const winning = winningNumbers(latitude, drawn.result, drawn.openTime);
    const { winners, pushes } = shownWinners(latitude, bettable, winning);
    return { ...drawn, winners: [...winners], pushes: [...pushes], problem: null };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { ...drawn, winners: [], pushes: [], problem: error.message };
  }
}
