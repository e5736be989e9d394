import { type Account, pageAccounts } from './accounts.ts';
import { type Agent, pageAgents } from './agents.ts';
import { type BetLatitude, listBetLatitudesByPlayWayCategory } from './bet-latitudes.ts';
import type { BetLimit } from './bet-limits.ts';
import { type ChatSession, listMyChatSessions } from './chat-sessions.ts';
import { type Deposit, pageDeposits } from './deposits.ts';
import type { DrawPlan } from './draw-plans.ts';
import type { DrawRecord } from './draw-records.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { metaOf } from './fields.ts';
import { type GameCategory, pageGameCategories } from './game-categories.ts';
import { type GameNumber, listGameNumbersByGame } from './game-numbers.ts';
import { type Game, listGames } from './games.ts';
import type { MailConfig } from './mail-configs.ts';
import { listMenus, type Menu } from './menus.ts';
import type { News } from './news.ts';
import { listNewsCategories, type NewsCategory } from './news-categories.ts';
import type { Odds } from './odds.ts';
import { listOperators, type Operator } from './operators.ts';
import type { ParamSetting } from './param-settings.ts';
import { type PlayWayCategory, pagePlayWayCategories } from './play-way-categories.ts';
import { type PlayWay, pagePlayWays } from './play-ways.ts';
import type { NounName } from './ref.ts';
import { listRoles, type Role } from './roles.ts';
import { rowSchemaOf, shapeOf } from './row-schema.ts';
import type { ScreenPath } from './screens.ts';
import { pageSettlements, type Settlement } from './settlements.ts';
import { pageSlips, type Slip } from './slips.ts';
import type { Spider } from './spiders.ts';
import { pageUsers, type User } from './users.ts';
import { pageWithdrawals, type Withdrawal } from './withdrawals.ts';

/** What there is to know of a noun for showing, choosing, naming, linking and refusing references to its rows. */
export interface Noun {
  /** What one of them is called. */
  readonly title: string;
  /** The field that operators know a row by; also the name of its column. */
  readonly name: string;
  /** The call that lists the rows to choose from and to name; needed once any field refers to them. */
  readonly list?: AnyEndpoint;
  /** The input field of `list` for the row that the wanted ones belong to; a `ref` names that row's field with `of`. */
  readonly within?: string;
  /** The input field of `list` that finds rows by typed text, if they are too many to list at once. */
  readonly search?: string;
  /** In a tree, the field that holds a row's children. */
  readonly children?: string;
  /** The screen that shows one row in full, by `?id=`; operators without it are led to `screen`. */
  readonly page?: ScreenPath;
  /** The screen that lists the rows. */
  readonly screen: ScreenPath;
  /** The fields of a row that fill the search of `screen` to find it. */
  readonly find: readonly string[];
}

type Field<R> = keyof R & string;

interface Said<R> extends Noun {
  readonly name: Field<R>;
  readonly children?: Field<R>;
  readonly find: readonly Field<R>[];
}

/** Declares a noun by the type of its rows. */
const noun = <R extends object>(said: Said<R>): Noun => said;

const all: Readonly<Record<NounName, Noun>> = {
  game: noun<Game>({
    title: '游戏',
    name: 'name',
    list: listGames,
    page: '/main/game/game-page',
    screen: '/main/game/lottery',
    find: ['name'],
  }),
  gameCategory: noun<GameCategory>({
    title: '游戏分类',
    name: 'name',
    list: pageGameCategories,
    screen: '/main/game/game-category',
    find: ['name'],
  }),
  gameNumber: noun<GameNumber>({
    title: '号码',
    name: 'number',
    list: listGameNumbersByGame,
    within: 'id',
    screen: '/main/game/number',
    find: ['gameId'],
  }),
  betLatitude: noun<BetLatitude>({
    title: '投注维度',
    name: 'name',
    list: listBetLatitudesByPlayWayCategory,
    within: 'id',
    screen: '/main/game/bet-latitude',
    find: ['gameId'],
  }),
  playWayCategory: noun<PlayWayCategory>({
    title: '玩法分类',
    name: 'name',
    list: pagePlayWayCategories,
    children: 'subCategories',
    screen: '/main/game/playway-category',
    find: ['gameId'],
  }),
  playWay: noun<PlayWay>({
    title: '玩法',
    name: 'name',
    list: pagePlayWays,
    screen: '/main/game/playway',
    find: ['gameId'],
  }),
  odds: noun<Odds>({ title: '赔率', name: 'id', screen: '/main/game/playway', find: [] }),
  drawPlan: noun<DrawPlan>({
    title: '开奖计划',
    name: 'phase',
    screen: '/main/game/open-plan',
    find: ['gameId', 'phase'],
  }),
  drawRecord: noun<DrawRecord>({
    title: '开奖记录',
    name: 'phase',
    screen: '/main/game/open-record',
    find: ['gameId', 'phase'],
  }),
  spider: noun<Spider>({
    title: '开奖采集',
    name: 'name',
    screen: '/main/game/spider',
    find: ['gameId', 'name'],
  }),
  newsCategory: noun<NewsCategory>({
    title: '新闻分类',
    name: 'name',
    list: listNewsCategories,
    screen: '/main/news/category',
    find: [],
  }),
  news: noun<News>({ title: '新闻', name: 'title', screen: '/main/news/news', find: ['categoryId'] }),
  menu: noun<Menu>({
    title: '菜单',
    name: 'title',
    list: listMenus,
    children: 'childrens',
    screen: '/main/pms/menu',
    find: ['title'],
  }),
  role: noun<Role>({
    title: '角色',
    name: 'desc',
    list: listRoles,
    screen: '/main/pms/role',
    find: ['name'],
  }),
  operator: noun<Operator>({
    title: '操作员',
    name: 'userName',
    list: listOperators,
    screen: '/main/pms/operator',
    find: ['userName'],
  }),
  user: noun<User>({
    title: '用户',
    name: 'nickName',
    list: pageUsers,
    search: 'username',
    page: '/main/user/user-page',
    screen: '/main/user/user',
    find: ['id'],
  }),
  account: noun<Account>({
    title: '账户',
    name: 'userId',
    list: pageAccounts,
    search: 'username',
    screen: '/main/user/account',
    find: ['userId'],
  }),
  deposit: noun<Deposit>({
    title: '充值订单',
    name: 'id',
    list: pageDeposits,
    screen: '/main/user/deposit-record',
    find: ['id'],
  }),
  withdrawal: noun<Withdrawal>({
    title: '提现订单',
    name: 'id',
    list: pageWithdrawals,
    screen: '/main/user/withdraw-record',
    find: ['id'],
  }),
  chatSession: noun<ChatSession>({
    title: '会话',
    name: 'id',
    list: listMyChatSessions,
    screen: '/main/session/my-session',
    find: [],
  }),
  mailConfig: noun<MailConfig>({
    title: '邮件配置',
    name: 'host',
    screen: '/main/system/mail-config',
    find: [],
  }),
  slip: noun<Slip>({ title: '注单', name: 'id', list: pageSlips, screen: '/main/bet/slip', find: ['id'] }),
  settlement: noun<Settlement>({
    title: '结算',
    name: 'id',
    list: pageSettlements,
    search: 'id',
    screen: '/main/bet/settlement',
    find: ['id'],
  }),
  betLimit: noun<BetLimit>({
    title: '限额',
    name: 'id',
    screen: '/main/bet/limit',
    find: [],
  }),
  paramSetting: noun<ParamSetting>({
    title: '系统参数',
    name: 'title',
    screen: '/main/system/params-setting',
    find: [],
  }),
  agent: noun<Agent>({
    title: '代理',
    name: 'name',
    list: pageAgents,
    search: 'name',
    screen: '/main/bet/agent',
    find: ['id'],
  }),
};

/** What a noun is. */
export const nounOf = (name: NounName): Noun => all[name];

/** Every noun by its name. */
export const nounEntries: readonly (readonly [NounName, Noun])[] = Object.keys(all)
  .filter((name): name is NounName => name in all)
  .map((name) => [name, all[name]] as const);

/** Whether all rows can be listed and have names, so that a name is shown in place of an id. */
export const isNamed = ({ list, search, name }: Noun): boolean =>
  list !== undefined && search === undefined && name !== 'id';

const pages: ReadonlySet<string | undefined> = new Set(nounEntries.map(([, { page }]) => page));

/** Whether a screen shows one row in full, the one that `?id=` names. */
export const isRowPage = (path: string): boolean => pages.has(path);

/** The file whose words a noun's names are, where the first of them come with the system; see `seeded`. */
export function fileOfNames({ list, name }: Noun): string | undefined {
  const field = list && name ? shapeOf(rowSchemaOf(list.output))[name] : undefined;
  return field && metaOf(field).seeded;
}
