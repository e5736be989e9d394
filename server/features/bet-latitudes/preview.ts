import type { LatitudePreview } from '#contract/bet-latitudes.ts';
import { Unreadable } from '../result-handlers/result-handler.ts';
import { type BetNumber, type ReadableLatitude, winningNumbers } from '../result-handlers/winning-numbers.ts';

interface DrawnResult {
  phase: string;
  result: string;
  openTime: string;
}

/** What a latitude makes of one result for the numbers that can be bet on, or why it cannot read it. */
export function previewOf(
  latitude: ReadableLatitude,
  numbers: readonly BetNumber[],
  drawn: DrawnResult,
): LatitudePreview {
  try {
    const { winners, pushes } = winningNumbers(latitude, drawn.result, drawn.openTime).among(numbers);
    return { ...drawn, winners: [...winners], pushes: [...pushes], problem: null };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { ...drawn, winners: [], pushes: [], problem: error.message };
  }
}
