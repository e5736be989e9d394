import { errorCode, isPassing } from './db/driver/outage.ts';

/** The same failure again and again, as in an outage, is told once in this time. */
const TOLD_AGAIN_MS = 30_000;

/** Whether a failure is news: the same words are none for a while, though others come in between. */
export function createNews(): (words: string) => boolean {
  const toldAt = new Map<string, number>();
  return (words) => {
    const now = performance.now();
    for (const [known, at] of toldAt) if (now - at > TOLD_AGAIN_MS) toldAt.delete(known);
    if (toldAt.has(words)) return false;
    toldAt.set(words, now);
    return true;
  };
}

/** What an error says; one that stands for several tries, as of a host with two addresses, has no words of its own. */
export const wordsOf = (error: unknown): string =>
  error instanceof Error ? error.message || errorCode(error) || error.name : String(error);

/** Where in the program an error came from. */
export const framesOf = (error: unknown): string | undefined =>
  error instanceof Error
    ? error.stack
        ?.split('\n')
        .filter((line) => /^\s+at /.test(line))
        .join('\n')
    : undefined;

/** What the log tells of a failure of work that nobody waits for: its words, and where a fault came from that will not pass. */
export const failureDetails = (error: unknown): { error: string; stack?: string | undefined } => ({
  error: wordsOf(error),
  ...(isPassing(error) ? {} : { stack: framesOf(error) }),
});

/** Tells the failures of such work under one message, each when it is news. */
export function tellingNews(
  tell: (details: object, message: string) => void,
  message: string,
): (error: unknown) => void {
  const isNews = createNews();
  return (error) => {
    if (isNews(wordsOf(error))) tell(failureDetails(error), message);
  };
}
