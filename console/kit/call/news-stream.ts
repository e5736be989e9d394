import { createParser } from 'eventsource-parser';
import { BEAT_MS, getHappenings, type Happenings, NEWS_EVENT } from '#contract/happenings.ts';
import { requestFor } from '#contract/request.ts';
import { headersFor } from './exchange.ts';
import { sessionFor } from './session-for.ts';

/** A server that has a stream says something at once; a proxy that gathers answers keeps it to itself. */
const FIRST_WORD_MS = 6_000;
/** It is heard of at every beat: after two without, the way to it is broken. */
const SILENCE_MS = 2.5 * BEAT_MS;

interface Listening {
  readonly since: string | undefined;
  readonly onNews: (news: Happenings) => void;
  readonly onRetry: (milliseconds: number) => void;
  readonly signal: AbortSignal;
}

/** Aborts when nobody has fed it for so long. */
function watchdog(milliseconds: number) {
  const silent = new AbortController();
  let timer = setTimeout(() => silent.abort(), milliseconds);
  return {
    signal: silent.signal,
    feed: (next: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => silent.abort(), next);
    },
    stop: () => clearTimeout(timer),
  };
}

const isNews = (told: unknown): told is Happenings =>
  typeof told === 'object' && told !== null && 'happenings' in told && Array.isArray(told.happenings);

const newsIn = (data: string): Happenings | undefined => {
  try {
    const told: unknown = JSON.parse(data);
    return isNews(told) ? told : undefined;
  } catch {
    return undefined;
  }
};

/** How listening went: something was heard, the server had another answer, or none came. */
export type Heard = 'heard' | 'refused' | 'failed';

/** Listens until the stream ends, for whatever reason. */
export async function listenOnce({ since, onNews, onRetry, signal }: Listening): Promise<Heard> {
  const dog = watchdog(FIRST_WORD_MS);
  let heard = false;
  const parser = createParser({
    onRetry,
    onEvent: ({ event, data }) => {
      const news = event === NEWS_EVENT ? newsIn(data) : undefined;
      if (!news) return;
      heard = true;
      onNews(news);
    },
  });
  try {
    const request = requestFor(getHappenings, {});
    const headers = headersFor(request, { session: sessionFor(getHappenings) });
    headers.set('Accept', 'text/event-stream');
    if (since) headers.set('Last-Event-ID', since);
    const ended = AbortSignal.any([signal, dog.signal]);
    const response = await fetch(request.url, {
      headers,
      signal: ended,
      cache: 'no-store',
      redirect: 'error',
    });
    if (!response.headers.get('content-type')?.startsWith('text/event-stream'))
      return response.ok ? 'refused' : 'failed';
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      parser.feed(part.value);
      if (heard) dog.feed(SILENCE_MS);
    }
  } catch {
    // Broken off: whoever listens comes again.
  } finally {
    dog.stop();
  }
  return heard ? 'heard' : 'failed';
}
