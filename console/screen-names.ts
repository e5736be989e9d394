import type { openRoutes, ScreenPath } from '#contract/screens.ts';

type OpenPath = (typeof openRoutes)[keyof typeof openRoutes]['path'];

/** Screens whose route was called otherwise before they were. */
const otherwise: Partial<Record<ScreenPath | OpenPath, string>> = {
  '/main/analysis/bashboard': 'Overview',
  '/main/game/lottery': 'Game',
  '/main/game/number': 'GameNumber',
  '/main/game/playway-category': 'PlayWayCategory',
  '/main/game/playway': 'PlayWay',
  '/main/game/open-plan': 'DrawPlan',
  '/main/game/open-record': 'DrawRecord',
  '/main/news/category': 'NewsCategory',
  '/main/user/deposit-record': 'Deposit',
  '/main/user/withdraw-record': 'Withdrawal',
};

const isNamed = (path: string): path is keyof typeof otherwise => path in otherwise;

const pascal = (words: string): string =>
  words.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** What a route's screen is called, as is its file: the last part of the route, as in /main/news/news and NewsScreen. */
export const screenName = (path: string): string =>
  `${isNamed(path) ? otherwise[path] : pascal(path.slice(path.lastIndexOf('/') + 1))}Screen`;
