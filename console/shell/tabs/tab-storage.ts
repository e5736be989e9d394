import { readCache, writeCache } from '../../kit/local-cache.ts';
import { readOperatorName } from '../../kit/session.ts';
import { noTabs, type Tabs } from './tab-list.ts';

const nameOf = (): string => `tabs:${readOperatorName()}`;

/** Each window keeps its own; a window opened anew begins with those of the one used last. */
export function readTabs(): Tabs {
  try {
    const own = sessionStorage.getItem(nameOf());
    if (own !== null) return JSON.parse(own) as Tabs;
  } catch {
    // Kept for this page only, then.
  }
  return readCache<Tabs>(nameOf()) ?? noTabs;
}

export function writeTabs(tabs: Tabs): void {
  writeCache(nameOf(), tabs);
  try {
    sessionStorage.setItem(nameOf(), JSON.stringify(tabs));
  } catch {
    // See above.
  }
}
