const isNext = (one: string, other: string): boolean =>
  /^\d+$/.test(one) && other === String(Number(one) + 1).padStart(one.length, '0');

/** A pool as it is typed most shortly. */
export function poolText(pool: readonly string[]): string {
  const runs: string[][] = [];
  for (const number of pool) {
    const run = runs.at(-1);
    if (run && isNext(run.at(-1) ?? '', number)) run.push(number);
    else runs.push([number]);
  }
  return runs.map((run) => (run.length > 2 ? `${run[0]}-${run.at(-1)}` : run.join(','))).join(',');
}
