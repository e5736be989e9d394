import { whenIdle } from './when-idle.ts';

const AGAIN_MS = 30_000;

/** Hears from the server what happens, once the first screen stands; gives what ends that. */
export function beginNews(): () => void {
  const over = new AbortController();
  const begin = async (): Promise<void> => {
    await whenIdle();
    const { startNews } = await import('./news-source.ts');
    if (!over.signal.aborted) over.signal.addEventListener('abort', startNews());
  };
  // Without its file everything works as before, read when it is opened; it may have been a bad moment to fetch it.
  const tryOn = () => void begin().catch(() => over.signal.aborted || setTimeout(tryOn, AGAIN_MS));
  tryOn();
  return () => over.abort();
}
