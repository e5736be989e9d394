/** A median with the bounds between which it lies in 95 of 100 cases, whatever the values are spread like. */
export interface Median {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** The chance that at most so many of n tosses of a coin show heads. */
function atMost(heads: number, n: number): number {
  let [term, sum] = [0.5 ** n, 0];
  for (let k = 0; k <= heads; k++) {
    sum += term;
    term = (term * (n - k)) / (k + 1);
  }
  return sum;
}

/** The median of values, with the interval that their order gives. */
export function medianOf(values: readonly number[]): Median {
  const sorted = values.toSorted((a, b) => a - b);
  const n = sorted.length;
  const at = (place: number): number => sorted[Math.max(0, Math.min(n - 1, place))] ?? Number.NaN;
  let outside = -1;
  while (outside + 1 < n / 2 && atMost(outside + 1, n) <= 0.025) outside++;
  return {
    median: (at(Math.floor((n - 1) / 2)) + at(Math.floor(n / 2))) / 2,
    low: at(outside),
    high: at(n - 1 - outside),
  };
}
