/** The pages a pager offers: the first, the last, and those around the current one. `null` stands for a gap. */
export function pageNumbers(page: number, last: number): (number | null)[] {
  const around = 2;
  // A window of always the same width, so that the buttons stay where they are while one clicks through.
  const from = Math.max(2, Math.min(page - around, last - 2 * around - 1));
  const to = Math.min(last - 1, Math.max(page + around, 2 * around + 2));
  const middle = Array.from({ length: Math.max(0, to - from + 1) }, (_, place) => from + place);
  const before = from > 2 ? [null] : [];
  const after = to < last - 1 ? [null] : [];
  return last <= 1 ? [1] : [1, ...before, ...middle, ...after, last];
}
