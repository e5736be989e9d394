import { dropCache, readCache, writeCache } from '../call/local-cache.ts';
import { storeOf, useStore } from '../call/store.ts';

export type Theme = 'light' | 'dark';

const KEY = 'theme';
const system = window.matchMedia('(prefers-color-scheme: dark)');
const chosen = (): Theme | null => readCache<Theme>(KEY);
const ofSystem = (): Theme => (system.matches ? 'dark' : 'light');
const current = (): Theme => chosen() ?? ofSystem();
const theme = storeOf(current());
system.addEventListener('change', () => theme.write(current()));

/** Marks the page with the operator's choice; without one the page follows the system. */
export function applyTheme(): void {
  const choice = chosen();
  if (choice) document.documentElement.dataset.theme = choice;
  else delete document.documentElement.dataset.theme;
}

/** Chooses the other look; whoever comes back to that of the system follows it again. */
export function toggleTheme(): void {
  const next = current() === 'dark' ? 'light' : 'dark';
  if (next === ofSystem()) dropCache(KEY);
  else writeCache(KEY, next);
  applyTheme();
  theme.write(current());
}

export const useTheme = (): Theme => useStore(theme);
