import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { Happening, Happenings, LiveNoun, LiveWaiting } from '#contract/happenings.ts';

/** What is told of some nouns at once: rows that came or changed, or that more did than is known. */
export interface LiveNews extends Pick<Happenings, 'complete' | 'happenings'> {
  /** Telling begins here: what came after something was read and before this is told by nobody. */
  readonly begun: boolean;
}

let waiting: LiveWaiting | null = null;
const watchers = new Set<() => void>();
const hearers = new Set<(news: LiveNews) => void>();

export const readWaiting = (): LiveWaiting | null => waiting;

/** Hands on what the server told, to whatever stands on screen. */
export function publishNews(news: Happenings & LiveNews): void {
  if (news.waiting) {
    waiting = news.waiting;
    for (const watcher of watchers) watcher();
  }
  if (news.complete && news.happenings.length === 0 && !news.begun) return;
  for (const hearer of hearers) hearer(news);
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** How many rows wait for somebody, by noun, kept up to date; null before it is known. */
export const useLiveWaiting = (): LiveWaiting | null => useSyncExternalStore(watch, readWaiting);

/**
 * Hears at once of rows of these nouns that came or changed anywhere. `happenings` holds those of these nouns alone; where `complete` is
 * false, more has happened than is known, and what stands on screen is to be read again; so is what was read before telling had `begun`. A screen in a tab that is not shown hears
 * nothing, and reads its list again when it is shown.
 */
export function useLive(nouns: readonly LiveNoun[], onNews: (news: LiveNews) => void): void {
  const wanted = nouns.join();
  const latest = useRef(onNews);
  useEffect(() => {
    latest.current = onNews;
  });
  useEffect(() => {
    if (wanted === '') return;
    const names = wanted.split(',');
    const concerns = ({ noun }: Happening) => names.includes(noun);
    const hear = ({ complete, begun, happenings }: LiveNews) => {
      const own = happenings.filter(concerns);
      if (!complete || begun || own.length > 0) latest.current({ complete, begun, happenings: own });
    };
    hearers.add(hear);
    return () => {
      hearers.delete(hear);
    };
  }, [wanted]);
}
