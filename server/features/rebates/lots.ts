/** Does something with so many rows at a time, one lot after the other. */
export async function inLots<T>(
  rows: readonly T[],
  most: number,
  work: (some: readonly T[]) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < rows.length; from += most) await work(rows.slice(from, from + most));
}
