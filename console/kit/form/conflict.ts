import type { AskedField } from './field-spec.ts';

/** What is entered in a form, or known of a row, by field. */
export type Values = Readonly<Record<string, unknown>>;

/** Whose value of a field is to be kept: one's own, or that of whoever changed the row meanwhile. */
export type Side = 'mine' | 'theirs';

/** A field that one's own form and the row as it is now do not agree in. */
export interface Difference {
  readonly asked: AskedField;
  readonly mine: unknown;
  readonly theirs: unknown;
  /** Who moved away from what the form was opened with. */
  readonly changedBy: Side | 'both';
}

/** By field, whose value is to be kept, as far as that is decided. */
export type Chosen = Readonly<Record<string, Side | undefined>>;

/** What a form was opened with, what is entered now, and the row as it is now. */
interface Versions {
  readonly opened: Values;
  readonly mine: Values;
  readonly theirs: Values;
}

/** Numbers are typed as text, and nothing is nothing however it is written. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const same = (one: unknown, other: unknown): boolean => textOf(one) === textOf(other);

/** The fields of a form in which it and the row as it is now do not agree. */
export function differencesOf(
  fields: readonly AskedField[],
  { opened, mine, theirs }: Versions,
): Difference[] {
  const shown = fields.filter(({ when }) => when === undefined || when(mine) || when(theirs));
  return shown.flatMap((asked): Difference[] => {
    const { name } = asked.field;
    if (!(name in theirs) || same(mine[name], theirs[name])) return [];
    const byThem = !same(opened[name], theirs[name]);
    const byMe = !same(opened[name], mine[name]);
    const changedBy = byThem && byMe ? 'both' : byThem ? 'theirs' : 'mine';
    return [{ asked, mine: mine[name], theirs: theirs[name], changedBy }];
  });
}

/** Whoever changed a field alone is taken to be right; where both did, somebody has to say. */
export const firstChoices = (differences: readonly Difference[]): Chosen =>
  Object.fromEntries(
    differences.map(({ asked, changedBy }) => [
      asked.field.name,
      changedBy === 'both' ? undefined : changedBy,
    ]),
  );

/**
 * What is entered, with theirs where that was chosen, as an edit of the row as it is now. What no field shows follows the row;
 * where the form sends nothing of it, it still sends nothing.
 */
export function settled(
  fields: readonly AskedField[],
  { mine, theirs }: Omit<Versions, 'opened'>,
  chosen: Chosen,
): Values {
  const asked = new Set(fields.map(({ field }) => field.name));
  return Object.fromEntries(
    Object.entries(mine).map(([name, value]) => {
      const follows = asked.has(name) ? chosen[name] === 'theirs' : textOf(value) !== '';
      return [name, follows && name in theirs ? theirs[name] : value];
    }),
  );
}
