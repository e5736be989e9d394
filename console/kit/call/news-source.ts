import { BEAT_MS, getHappenings, type Happenings, type LiveWaiting } from '#contract/happenings.ts';
import { askAgainSoon } from './ask-again.ts';
import { call } from './call.ts';
import { publishNews } from './live.ts';
import { listenOnce } from './news-stream.ts';
import { readSession } from './session.ts';

/** While streams cannot be had, and how long that must have been so before it is asked for instead. */
const POLL_MS = 15_000;
const PATIENCE_MS = 10_000;
const LONGEST_RETRY_MS = 8_000;
/** So long nobody is silent who can be heard. */
const AWAY_MS = 2 * BEAT_MS;

/** Between the windows of a session, of which one listens for all. */
interface Word {
  readonly jti: string | undefined;
  /** What was told; nothing where a window that was just opened asks what waits. */
  readonly news?: Happenings;
}

let cursor: string | undefined;
let waiting: LiveWaiting | null = null;
let toldAt = performance.now();

function take(news: Happenings): void {
  if (performance.now() - toldAt > AWAY_MS) askAgainSoon();
  toldAt = performance.now();
  const begun = cursor === undefined;
  cursor = news.cursor;
  waiting = news.waiting ?? waiting;
  publishNews({ ...news, begun });
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Listens for as long as the page stands; asks instead where listening has been impossible for a while. */
async function listen(onNews: (news: Happenings) => void, signal: AbortSignal): Promise<void> {
  let retryMs = 1_000;
  let failures = 0;
  let heardAt = performance.now();
  const onRetry = (milliseconds: number) => {
    retryMs = milliseconds;
  };
  while (!signal.aborted && readSession()) {
    const end = await listenOnce({ since: cursor, onNews, onRetry, signal });
    if (end === 'heard') heardAt = performance.now();
    failures = end === 'heard' ? 0 : failures + 1;
    // Whoever was connected to one server does not come back in one moment. One try that fails may have met a server about to stop.
    const doubled = retryMs * 2 ** Math.min(Math.max(0, failures - 1), 5);
    let wait = Math.min(LONGEST_RETRY_MS, doubled) * (0.2 + Math.random());
    // Asking renews a session that has run out, or tells why it cannot be.
    if (end === 'refused' || performance.now() - heardAt > PATIENCE_MS) {
      const asked = await call(getHappenings, { since: cursor }, { quiet: true, loading: false }).catch(
        () => undefined,
      );
      if (asked) onNews(asked);
      if (asked && failures > 1) wait = POLL_MS;
    }
    await pause(wait, signal);
  }
}

/** Listens, and tells the other windows. */
function lead(channel: BroadcastChannel, signal: AbortSignal): Promise<void> {
  const tell = (news: Happenings) => {
    take(news);
    channel.postMessage({ jti: readSession()?.jti, news } satisfies Word);
  };
  channel.onmessage = ({ data }: MessageEvent<Word>) => {
    if (data.news || !cursor || data.jti !== readSession()?.jti) return;
    const news = { cursor, complete: true, waiting, happenings: [] };
    channel.postMessage({ jti: data.jti, news } satisfies Word);
  };
  return listen(tell, signal);
}

/**
 * Hears from the server what happens, from now on. Of the windows of a browser one listens and tells the others, since a browser has few
 * connections to one server. It needs the browser's locks, which there are on secure origins only: elsewhere each window listens.
 */
export function startNews(): () => void {
  const over = new AbortController();
  const { signal } = over;
  if (!('locks' in navigator)) {
    void listen(take, signal);
    return () => over.abort();
  }
  const channel = new BroadcastChannel('news');
  channel.onmessage = ({ data }: MessageEvent<Word>) => {
    if (data.news && data.jti === readSession()?.jti) take(data.news);
  };
  channel.postMessage({ jti: readSession()?.jti } satisfies Word);
  navigator.locks.request('news', { signal }, () => lead(channel, signal)).catch(() => undefined);
  return () => {
    over.abort();
    channel.close();
  };
}
