import { canonical } from '../result-handlers/result-handler.ts';
import type { Play } from './play.ts';
import { partsOfRule } from './selection.ts';

/** The positions that a part of a rule is judged by: its own place, or those of its group. */
function positionsOf({ rule, units, space }: Play, part: number): readonly number[] {
  if (rule?.kind === 'PLACES') return [part];
  const all = Array.from({ length: space?.positions ?? 0 }, (_, position) => position);
  if (rule?.kind !== 'TICKET' || !units?.groups) return all;
  const from = units.groups.slice(0, part).reduce((sum, size) => sum + size, 0);
  return all.slice(from, from + (units.groups[part] ?? 0));
}

/**
 * The numbers that a player may choose and no draw of the game can show where they are looked for. None where it cannot be told, or where
 * something else than the numbers is looked at. `date` is the day whose animals count.
 */
export function neverDrawn(play: Play, date: string): string[] {
  const { rule, space, units } = play;
  if (!rule || !space || units?.seen) return [];
  const shownAt = (positions: readonly number[]): ReadonlySet<string> => {
    const parts = space.parts.filter(({ places }) =>
      places.flat().some((place) => positions.includes(place)),
    );
    const values = parts.flatMap(({ pool }) => pool);
    return new Set(values.map((value) => units?.member(value, date) ?? canonical(value)));
  };
  return partsOfRule(rule).flatMap(({ pool }, part) => {
    const shown = shownAt(positionsOf(play, part));
    return pool.filter((number) => !shown.has(units?.named(number) ?? canonical(number)));
  });
}
