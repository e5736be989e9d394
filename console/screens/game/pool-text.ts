const range = /^(\d{1,4})-(\d{1,4})$/;
const MOST = 1000;

/** The numbers that a text names: `01-33` stands for 01 to 33, anything else between commas for itself. */
export function poolOf(text: string): string[] {
  const parts = text
    .split(/[,，\s]+/)
    .map((part) => part.trim())
    .filter(Boolean);
  return parts.flatMap((part) => {
    const [, from = '', to = ''] = range.exec(part) ?? [];
    const count = Number(to) - Number(from) + 1;
    if (from === '' || count < 1 || count > MOST) return [part];
    return Array.from({ length: count }, (_, step) => String(Number(from) + step).padStart(from.length, '0'));
  });
}

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
