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
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, signal.aborted ? 0 : ms);
    signal.addEventListener('abort', done);
  });

/** Asks in place of listening; this renews a session that has run out, or tells why it cannot be. */
async function ask(onNews: (news: Happenings) => void): Promise<boolean> {
  const asked = await call(getHappenings, { since: cursor }, { quiet: true, loading: false }).catch(
    () => undefined,
  );
  if (asked) onNews(asked);
  return asked !== undefined;
}

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
    const isDeaf = end === 'refused' || performance.now() - heardAt > PATIENCE_MS;
    if (isDeaf && !signal.aborted && (await ask(onNews)) && failures > 1) wait = POLL_MS;
    await pause(wait, signal);
  }
}

/** Aborts once the window is put aside, or looked at again; `signal` ends the watching. */
function turned(hidden: boolean, signal: AbortSignal): AbortSignal {
  const over = new AbortController();
  const look = () => document.hidden === hidden && over.abort();
  document.addEventListener('visibilitychange', look, { signal: AbortSignal.any([signal, over.signal]) });
  return AbortSignal.any([signal, over.signal]);
}

/**
 * Listens for this window alone. One that nobody looks at lets go of its stream and asks now and then: six streams are all connections
 * that a browser has to a server over plain HTTP, and a seventh window would not even be shown.
 */
async function listenAlone(signal: AbortSignal): Promise<void> {
  while (!signal.aborted && readSession()) {
    const end = turned(!document.hidden, signal);
    const isAside = document.hidden;
    if (!isAside) await listen(take, end);
    while (isAside && !end.aborted && readSession())
      await pause((await ask(take)) ? POLL_MS : LONGEST_RETRY_MS, end);
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

/** What windows tell each other over. A browser without locks has no use for it; Firefox refuses it where it keeps nothing for the page. */
function openChannel(): BroadcastChannel | undefined {
  try {
    return 'locks' in navigator ? new BroadcastChannel('news') : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Hears from the server what happens, from now on. Of the windows of a browser one listens and tells the others, since a browser has few
 * connections to one server. It needs the browser's locks, which there are on secure origins only, and not where the browser keeps nothing
 * for the page: elsewhere each window listens.
 */
export function startNews(): () => void {
  const over = new AbortController();
  const { signal } = over;
  const channel = openChannel();
  if (!channel) {
    void listenAlone(signal);
    return () => over.abort();
  }
  channel.onmessage = ({ data }: MessageEvent<Word>) => {
    if (data.news && data.jti === readSession()?.jti) take(data.news);
  };
  channel.postMessage({ jti: readSession()?.jti } satisfies Word);
  const led = navigator.locks.request('news', { signal }, () => lead(channel, signal));
  led.catch(() => listenAlone(signal));
  return () => {
    over.abort();
    channel.close();
  };
}
