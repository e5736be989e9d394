import { useSyncExternalStore } from 'react';
import { readCache, writeCache } from '../call/local-cache.ts';

export type Theme = 'light' | 'dark';

const KEY = 'theme';
const system = window.matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();
const chosen = (): Theme | null => readCache<Theme>(KEY);
const current = (): Theme => chosen() ?? (system.matches ? 'dark' : 'light');

/** Marks the page with the operator's choice; without one the page follows the system. */
export function applyTheme(): void {
  const choice = chosen();
  if (choice) document.documentElement.dataset.theme = choice;
  else delete document.documentElement.dataset.theme;
}

export function toggleTheme(): void {
  writeCache(KEY, current() === 'dark' ? 'light' : 'dark');
  applyTheme();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  system.addEventListener('change', listener);
  return () => {
    listeners.delete(listener);
    system.removeEventListener('change', listener);
  };
}

export const useTheme = (): Theme => useSyncExternalStore(subscribe, current);
