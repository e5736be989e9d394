import { appendFileSync } from 'node:fs';

/** What a bench found: a value, and what it is to be at most or at least. */
export interface Figure {
  /** What was measured, in a few words. */
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** `most` is what the value may be at most, `least` at least; nothing where it only informs. */
  readonly goal?: { readonly most: number } | { readonly least: number } | undefined;
  /** What else is to be known, such as the two figures of a ratio. */
  readonly note?: string | undefined;
}

/** Whether a figure is as it should be; nothing where nobody said how it should be. */
export function isMet({ value, goal }: Figure): boolean | undefined {
  if (!goal) return undefined;
  return 'most' in goal ? value <= goal.most : value >= goal.least;
}

const digits = (value: number): string => String(Number(value.toPrecision(3)));

/** A figure with its goal, and whether that is met. */
export function lineOf(figure: Figure): string {
  const { what, value, unit, goal, note } = figure;
  const wanted = goal && ('most' in goal ? `goal at most ${goal.most}` : `goal at least ${goal.least}`);
  const verdict = wanted ? ` (${wanted}: ${isMet(figure) ? 'met' : 'not met'})` : '';
  return `${what}: ${digits(value)}${unit === '' ? '' : ` ${unit}`}${verdict}${note ? `; ${note}` : ''}`;
}

/** Says a figure, and hands it to `npm run bench` where that is who asked. */
export function tell(figure: Figure): void {
  console.log(lineOf(figure));
  const file = process.env.BENCH_FIGURES;
  if (file) appendFileSync(file, `${JSON.stringify(figure)}\n`);
}
