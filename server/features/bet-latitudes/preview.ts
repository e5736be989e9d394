import type { LatitudePreview } from '#contract/bet-latitudes.ts';
import { Unreadable } from '../result-handlers/result-handler.ts';
import { type ReadableLatitude, winningNumbers } from '../result-handlers/winning-numbers.ts';

interface DrawnResult {
  phase: string;
  result: string;
  openTime: string;
}

/** What a latitude makes of one result, or why it cannot read it. */
export function previewOf(latitude: ReadableLatitude, drawn: DrawnResult): LatitudePreview {
  try {
    const { winners, pushes } = winningNumbers(latitude, drawn.result, drawn.openTime);
    return { ...drawn, winners: [...winners], pushes: [...pushes], problem: null };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { ...drawn, winners: [], pushes: [], problem: error.message };
  }
}
