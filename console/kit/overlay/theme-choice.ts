import { readCache, writeCache } from '../call/local-cache.ts';
import { storeOf, useStore } from '../call/store.ts';

export type Theme = 'light' | 'dark';

const KEY = 'theme';
const system = window.matchMedia('(prefers-color-scheme: dark)');
const chosen = (): Theme | null => readCache<Theme>(KEY);
const current = (): Theme => chosen() ?? (system.matches ? 'dark' : 'light');
const theme = storeOf(current());
system.addEventListener('change', () => theme.write(current()));

/** Marks the page with the operator's choice; without one the page follows the system. */
export function applyTheme(): void {
  const choice = chosen();
  if (choice) document.documentElement.dataset.theme = choice;
  else delete document.documentElement.dataset.theme;
}

export function toggleTheme(): void {
  writeCache(KEY, current() === 'dark' ? 'light' : 'dark');
  applyTheme();
  theme.write(current());
}

export const useTheme = (): Theme => useStore(theme);
