const words = new Intl.Collator('zh', { numeric: true });

/** Nothing comes last, whatever the way round the rest. */
function compared(one: unknown, other: unknown, way: 1 | -1): number {
  if (one === other) return 0;
  if (one === null || one === undefined) return 1;
  if (other === null || other === undefined) return -1;
  // Amounts and counts travel as text; what is below nothing comes before it.
  const difference = Number(one) - Number(other);
  if (!Number.isNaN(difference) && difference !== 0) return way * difference;
  return way * words.compare(String(one), String(other));
}

const fieldOf = (row: unknown, name: string): unknown =>
  typeof row === 'object' && row !== null ? Reflect.get(row, name) : undefined;

/** The rows of a list that is read whole, in the order that its input asks for; pages come from the database in theirs. */
export function sortedRows(answer: unknown, { sort }: Readonly<Record<string, unknown>>): unknown {
  if (!Array.isArray(answer) || typeof sort !== 'string') return answer;
  const column = sort.replace(/^-/, '');
  const way = sort.startsWith('-') ? -1 : 1;
  return answer.toSorted((one, other) => compared(fieldOf(one, column), fieldOf(other, column), way));
}
