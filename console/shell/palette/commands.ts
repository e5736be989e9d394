import { addAgent } from '#contract/agents.ts';
import { addBetLimit } from '#contract/bet-limits.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { type Found, findableNouns } from '#contract/finding.ts';
import { addGameCategory } from '#contract/game-categories.ts';
import { addGame } from '#contract/games.ts';
import { addMailConfig } from '#contract/mail-configs.ts';
import { addMenu, type Menu } from '#contract/menus.ts';
import { addNews } from '#contract/news.ts';
import { addNewsCategory } from '#contract/news-categories.ts';
import { nounOf } from '#contract/nouns.ts';
import { addOperator } from '#contract/operators.ts';
import { addParamSetting } from '#contract/params-settings.ts';
import { addRole } from '#contract/roles.ts';
import { openRoutes } from '#contract/screens.ts';
import { addSpider } from '#contract/spiders.ts';
import { addUser } from '#contract/users.ts';
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

/** Calls whose form a button above a list opens. */
const adding: readonly AnyEndpoint[] = [
  ...[addGame, addUser, addNews, addSpider, addBetLimit, addAgent, addGameCategory, addNewsCategory],
  ...[addOperator, addRole, addMenu, addParamSetting, addMailConfig],
];

function screensOf({ menus, addressFor }: Held): Choice[] {
  const inside = sideBarOf(menus).flatMap((folder) =>
    folder.screens.map(({ path, title }) => ({ path, title, detail: folder.title })),
  );
  const open = Object.values(openRoutes).map(({ path, title }) => ({ path, title, detail: '' }));
  return [...inside, ...open].map(({ path, title, detail }) => ({
    ...{ key: path, group: '页面', title, detail, to: addressFor(path) },
  }));
}

function actsOf({ paths, codes, addressFor }: Held): Choice[] {
  const additions = adding.flatMap(({ access, summary: title, path }): Choice[] => {
    if (typeof access !== 'object') return [];
    const screen = access.screens.find((one) => paths.has(one));
    if (!screen || (access.button !== undefined && !codes.has(access.button))) return [];
    return [{ key: path, group: '操作', title, detail: '', to: addressFor(screen), run: () => intend(path) }];
  });
  return [
    ...additions,
    { key: 'theme', group: '操作', title: '切换主题', detail: '浅色与深色', run: toggleTheme },
  ];
}

/** What the console itself offers that has these words in its title or its folder's. */
export function ownChoices(held: Held, text: string): Choice[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return [...screensOf(held), ...actsOf(held)].filter(({ title, detail }) =>
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
