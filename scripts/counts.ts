/** What came out of a suite. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** What failed: the test's name, and what it said. */
  failures: string[];
  /** Files whose process ended before they did. What ran of them counts nowhere. */
  unfinished: string[];
}

export const REPEATED = ' (passed when repeated)';

/** What was said, without the runner's own part of the way there. */
export const shortened = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !line.includes('node_modules'))
    .slice(0, 30)
    .join('\n');
