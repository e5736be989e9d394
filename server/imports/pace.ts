import { paceOfAll } from '#server/pace.ts';
import { unreadable } from './table.ts';

/** A console waits for 15 seconds, in which the rows are to be run as well. */
const LONGEST_READING_MS = 5_000;

/** Between pieces of the work on a table. */
export const pace = paceOfAll();

/** As much of a file as a parser takes in a few milliseconds, whatever is in it. */
export const PIECE_BYTES = 4_096;

/** The pieces of one file on their way to a parser, one slice a turn. Throws `fileUnreadable` where that takes too long. */
export function reading(): (pieces: AsyncIterable<string> | Iterable<string>) => AsyncGenerator<string> {
  const breathe = pace();
  const end = performance.now() + LONGEST_READING_MS;
  return async function* paced(pieces) {
    for await (const piece of pieces)
      for (let from = 0; from < piece.length; from += PIECE_BYTES) {
        yield piece.slice(from, from + PIECE_BYTES);
        if (performance.now() > end) throw unreadable('内容过多，未能及时读完');
        await breathe();
      }
  };
}
