const words = new Intl.Collator('zh', { numeric: true });

/** Null comes last in either direction. */
function compared(one: unknown, other: unknown, way: 1 | -1): number {
  if (one === other) return 0;
  if (one === null || one === undefined) return 1;
  if (other === null || other === undefined) return -1;
  // Amounts and counts travel as text.
  const difference = Number(one) - Number(other);
  if (!Number.isNaN(difference) && difference !== 0) return way * difference;
  return way * words.compare(String(one), String(other));
}

const fieldOf = (row: unknown, name: string): unknown =>
  typeof row === 'object' && row !== null ? Reflect.get(row, name) : undefined;

/** Sorts the rows of a list without pages as its input asks; pages are sorted by the database. */
export function sortedRows(answer: unknown, { sort }: Readonly<Record<string, unknown>>): unknown {
  if (!Array.isArray(answer) || typeof sort !== 'string') return answer;
  const column = sort.replace(/^-/, '');
  const way = sort.startsWith('-') ? -1 : 1;
  return answer.toSorted((one, other) => compared(fieldOf(one, column), fieldOf(other, column), way));
}
