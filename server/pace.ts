import { fewEachTurn } from './few-each-turn.ts';

/** What long work may hold the event loop for at once. */
const SLICE_MS = 10;

/**
 * The pace of one kind of long work: all of it, however many callers want it done, has one slice of each turn of the event loop together.
 * With a slice each, many would hold up everybody else. Gives what is called as a piece of work begins, and gives what is to be awaited
 * between its parts: it lets others have their turn once a slice is used up.
 */
export function paceOfAll(): () => () => Promise<void> {
  const turn = fewEachTurn(1);
  return () => {
    let began = performance.now();
    return async () => {
      if (performance.now() - began < SLICE_MS) return;
      await turn();
      began = performance.now();
    };
  };
}
