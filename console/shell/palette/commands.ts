import { contract, isEndpointName } from '#contract/all.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { type Found, findableNouns } from '#contract/finding.ts';
import type { Menu } from '#contract/menus.ts';
import { nounOf } from '#contract/nouns.ts';
import { openRoutes, screens } from '#contract/screens.ts';
import { sideBarOf } from '../../kit/call/index.ts';
import { intend, searchFor } from '../../kit/form/index.ts';
import { screenAddress, toggleTheme } from '../../kit/overlay/index.ts';

/** Something that can be chosen, by its words. */
export interface Choice {
  readonly key: string;
  readonly group: string;
  readonly title: string;
  readonly detail: string;
  /** Where it leads. */
  readonly to?: string;
  readonly run?: () => void;
}

/** What an operator holds. */
export interface Held {
  readonly menus: readonly Menu[];
  readonly paths: ReadonlySet<string>;
  readonly codes: ReadonlySet<string>;
  /** Where a screen that is open already is shown as it was left. */
  readonly addressFor: (path: string) => string;
}

function screensOf({ menus, addressFor }: Held): Choice[] {
  const inside = sideBarOf(menus).flatMap((folder) =>
    folder.screens.map(({ path, title }) => ({ path, title, detail: folder.title })),
  );
  const open = Object.values(openRoutes).map(({ path, title }) => ({ path, title, detail: '' }));
  return [...inside, ...open].map(({ path, title, detail }) => ({
    ...{ key: path, group: '页面', title, detail, to: addressFor(path) },
  }));
}

/** What can be added above the list of a screen that may be opened, for whoever holds its button. */
const additionsOf = ({ paths, codes, addressFor }: Held): Choice[] =>
  screens.flatMap(({ path: screen, adds }) =>
    adds.flatMap((name): Choice[] => {
      if (!isEndpointName(name) || !paths.has(screen)) return [];
      const { access, summary: title, path }: AnyEndpoint = contract[name];
      if (typeof access !== 'object' || (access.button !== undefined && !codes.has(access.button))) return [];
      const run = () => intend(path);
      return [{ key: path, group: '操作', title, detail: '', to: addressFor(screen), run }];
    }),
  );

const theme = { key: 'theme', group: '操作', title: '切换主题', detail: '浅色与深色', run: toggleTheme };

/** What the console itself offers that has these words in its title or its folder's. */
export function ownChoices(held: Held, text: string): Choice[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return [...screensOf(held), ...additionsOf(held), theme].filter(({ title, detail }) =>
    words.every((word) => `${title} ${detail}`.toLowerCase().includes(word)),
  );
}

/** A row that was found, leading to its own page where it has one that may be opened, else to the list where it stands. */
export function rowChoice(row: Found, paths: ReadonlySet<string>): Choice | undefined {
  const noun = nounOf(row.noun);
  const page = noun.page !== undefined && paths.has(noun.page) ? noun.page : undefined;
  const search = page ? { id: String(row.id) } : searchFor(noun, row);
  if (!search || !paths.has(page ?? noun.screen)) return undefined;
  return {
    key: `${row.noun} ${row.id}`,
    group: findableNouns[row.noun],
    title: row.title,
    detail: row.detail,
    to: screenAddress(page ?? noun.screen, search),
  };
}
