import type { Db } from '#server/db/database.ts';
import { Refusal } from '#server/refusal.ts';
import {
  deleteGameNumbers,
  insertGameNumber,
  listGameNumbers,
  type NumberFields,
  numbersWithOdds,
  updateGameNumber,
} from './game-number-store.ts';

/** Makes these the numbers of a game. Those it has already keep their id, and so their odds; one with odds cannot go. */
export async function replaceNumbers(
  db: Db,
  gameId: number,
  numbers: readonly NumberFields[],
): Promise<void> {
  const wanted = new Map(numbers.map((number) => [number.number, number]));
  if (wanted.size < numbers.length) {
    const twice = numbers.find((each, place) => numbers.findIndex((n) => n.number === each.number) < place);
    throw new Refusal('taken', { field: 'numbers', values: { what: `号码 ${twice?.number}` } });
  }
  const present = await listGameNumbers(db, gameId);
  const leaving = present.filter(({ number }) => !wanted.has(number)).map(({ id }) => id);
  const [bound] = await numbersWithOdds(db, leaving);
  if (bound) throw new Refusal('inUse', { field: 'numbers', values: { what: `号码 ${bound}` } });
  await deleteGameNumbers(db, leaving);
  for (const { id, number } of present) {
    const fields = wanted.get(number);
    if (fields) await updateGameNumber(db, id, fields);
    wanted.delete(number);
  }
  for (const fields of wanted.values()) await insertGameNumber(db, gameId, fields);
}
