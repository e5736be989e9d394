import {
  readCache,
  readOperatorName,
  readWindowCache,
  writeCache,
  writeWindowCache,
} from '../../kit/call/index.ts';
import { noTabs, type Tabs } from './tab-list.ts';

const nameOf = (): string => `tabs:${readOperatorName()}`;

/** Each window keeps its own; a window opened anew begins with those of the one used last. */
export const readTabs = (): Tabs => readWindowCache<Tabs>(nameOf()) ?? readCache<Tabs>(nameOf()) ?? noTabs;

export function writeTabs(tabs: Tabs): void {
  writeCache(nameOf(), tabs);
  writeWindowCache(nameOf(), tabs);
}
