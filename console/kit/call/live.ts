import { useEffect, useEffectEvent } from 'react';
import type { Happening, Happenings, LiveNoun, LiveWaiting } from '#contract/happenings.ts';
import { storeOf, useStore } from './store.ts';

/** What is told of some nouns at once: rows that came or changed, or that more did than is known. */
export interface LiveNews extends Pick<Happenings, 'complete' | 'happenings'> {
  /** Telling begins here: what came after something was read and before this is told by nobody. */
  readonly begun: boolean;
}

const waiting = storeOf<LiveWaiting | null>(null);
const hearers = new Set<(news: LiveNews) => void>();

/** Hands on what the server told, to whatever stands on screen. */
export function publishNews(news: Happenings & LiveNews): void {
  if (news.waiting) waiting.write(news.waiting);
  if (news.complete && news.happenings.length === 0 && !news.begun) return;
  for (const hearer of hearers) hearer(news);
}

/** How many rows wait for somebody, by noun, kept up to date; null before it is known. */
export const useLiveWaiting = (): LiveWaiting | null => useStore(waiting);

/**
 * Hears at once of rows of these nouns that came or changed anywhere. `happenings` holds those of these nouns alone; where `complete` is
 * false, more has happened than is known, and what stands on screen is to be read again; so is what was read before telling had `begun`. A screen in a tab that is not shown hears
 * nothing, and reads its list again when it is shown.
 */
export function useLive(nouns: readonly LiveNoun[], onNews: (news: LiveNews) => void): void {
  const wanted = nouns.join();
  const tell = useEffectEvent(onNews);
  useEffect(() => {
    if (wanted === '') return;
    const names = wanted.split(',');
    const concerns = ({ noun }: Happening) => names.includes(noun);
    const hear = ({ complete, begun, happenings }: LiveNews) => {
      const own = happenings.filter(concerns);
      if (!complete || begun || own.length > 0) tell({ complete, begun, happenings: own });
    };
    hearers.add(hear);
    return () => {
      hearers.delete(hear);
    };
  }, [wanted]);
}
