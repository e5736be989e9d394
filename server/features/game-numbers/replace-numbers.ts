import type { Db } from '#server/db/database.ts';
import { added, changed, removed } from '#server/db/rows.ts';
import { Refusal } from '#server/refusal.ts';
import { heldName, heldNumbers, listGameNumbersByGame } from './game-number-store.ts';

interface NumberFields {
  readonly number: string;
  readonly desc?: string | null | undefined;
}

/** Makes these the numbers of a game. Those it has already keep their id, and so their odds; one with odds cannot go. */
export async function replaceNumbers(
  db: Db,
  gameId: number,
  numbers: readonly NumberFields[],
): Promise<void> {
  const wanted = new Map(numbers.map(({ number, desc = null }) => [number, desc]));
  if (wanted.size < numbers.length) {
    const twice = numbers.find((each, place) => numbers.findIndex((n) => n.number === each.number) < place);
    throw new Refusal('taken', { field: 'numbers', values: { what: `号码 ${twice?.number} ` } });
  }
  const present = await listGameNumbersByGame(db, gameId);
  const leaving = present.filter(({ number }) => !wanted.has(number)).map(({ id }) => id);
  const [bound] = await heldNumbers(db, leaving);
  if (bound) throw new Refusal('inUse', { field: 'numbers', values: { what: heldName(bound) } });
  for (const id of leaving) await removed(db, 'game_number', id);
  for (const { id, number, ...old } of present) {
    const desc = wanted.get(number);
    if (desc !== undefined && desc !== old.desc) await changed(db, 'game_number', { id }, { desc });
    wanted.delete(number);
  }
  for (const [number, desc] of wanted) await added(db, 'game_number', { gameId, number, desc });
}
