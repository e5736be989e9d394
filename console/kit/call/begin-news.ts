import { whenIdle } from './when-idle.ts';

/** Hears from the server what happens, once the first screen stands; gives what ends that. */
export function beginNews(): () => void {
  const over = new AbortController();
  const begin = async (): Promise<void> => {
    await whenIdle();
    const { startNews } = await import('./news-source.ts');
    if (!over.signal.aborted) over.signal.addEventListener('abort', startNews());
  };
  // Without it everything works as before, read when it is opened.
  void begin().catch(() => undefined);
  return () => over.abort();
}
