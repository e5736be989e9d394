import * as accountHistory from './account-history.ts';
import * as accounts from './accounts.ts';
import * as agents from './agents.ts';
import * as approvals from './approvals.ts';
import * as betLatitudes from './bet-latitudes.ts';
import * as betLimits from './bet-limits.ts';
import * as changeRecords from './change-records.ts';
import * as chatSessions from './chat-sessions.ts';
import * as corrections from './corrections.ts';
import * as deposits from './deposits.ts';
import * as drawPlans from './draw-plans.ts';
import * as drawRecords from './draw-records.ts';
import type { AnyEndpoint } from './endpoint.ts';
import * as exposure from './exposure.ts';
import * as gameCategories from './game-categories.ts';
import * as gameNumbers from './game-numbers.ts';
import * as games from './games.ts';
import * as googleKeys from './google-keys.ts';
import * as listPreferences from './list-preferences.ts';
import * as loginRecords from './login-records.ts';
import * as mailConfigs from './mail-configs.ts';
import * as mailOutbox from './mail-outbox.ts';
import * as menus from './menus.ts';
import * as news from './news.ts';
import * as newsCategories from './news-categories.ts';
import * as odds from './odds.ts';
import * as onlineSessions from './online-sessions.ts';
import * as operators from './operators.ts';
import * as overview from './overview.ts';
import * as paramSettings from './params-settings.ts';
import * as platform from './platform.ts';
import * as platformBets from './platform-bets.ts';
import * as platformCatalogue from './platform-catalogue.ts';
import * as playWayCategories from './play-way-categories.ts';
import * as playWaySubCategories from './play-way-sub-categories.ts';
import * as playWays from './play-ways.ts';
import * as rebates from './rebates.ts';
import * as reports from './reports.ts';
import * as roles from './roles.ts';
import * as security from './security.ts';
import * as settlements from './settlements.ts';
import * as signIn from './sign-in.ts';
import * as signInNotices from './sign-in-notices.ts';
import * as slips from './slips.ts';
import * as spiders from './spiders.ts';
import * as turnoverRequirements from './turnover-requirements.ts';
import * as users from './users.ts';
import * as withdrawals from './withdrawals.ts';

/** The exports of every noun, under the words that head it in the API document. */
export const nouns = {
  登录: signIn,
  安全中心: security,
  谷歌验证: googleKeys,
  登录提醒: signInNotices,
  数据概览: overview,
  菜单: menus,
  角色: roles,
  操作员: operators,
  登录日志: loginRecords,
  在线会话: onlineSessions,
  游戏: games,
  游戏分类: gameCategories,
  游戏号码: gameNumbers,
  投注维度: betLatitudes,
  玩法分类: playWayCategories,
  玩法子分类: playWaySubCategories,
  玩法: playWays,
  赔率: odds,
  开奖计划: drawPlans,
  开奖记录: drawRecords,
  开奖采集: spiders,
  注单: slips,
  限额: betLimits,
  单期风险: exposure,
  结算: settlements,
  更正: corrections,
  盈亏报表: reports,
  返水: rebates,
  代理: agents,
  用户: users,
  账户: accounts,
  流水要求: turnoverRequirements,
  账变记录: accountHistory,
  充值订单: deposits,
  提现订单: withdrawals,
  新闻分类: newsCategories,
  新闻: news,
  系统参数: paramSettings,
  邮件配置: mailConfigs,
  邮件发送记录: mailOutbox,
  操作日志: changeRecords,
  复核: approvals,
  会话: chatSessions,
  列表偏好: listPreferences,
  平台接口: platform,
  平台目录: platformCatalogue,
  平台投注: platformBets,
} as const;

type Endpoints<M> = { [K in keyof M as M[K] extends AnyEndpoint ? K : never]: M[K] };
type Merged<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void ? I : never;

const isEndpoint = (value: unknown): value is AnyEndpoint =>
  typeof value === 'object' && value !== null && 'verb' in value && 'access' in value;

/** The calls among a noun's exports, by name. */
export const endpointsOf = (noun: object): [name: string, endpoint: AnyEndpoint][] =>
  Object.entries(noun).filter((entry): entry is [string, AnyEndpoint] => isEndpoint(entry[1]));

type Noun = (typeof nouns)[keyof typeof nouns];
type AllEndpoints = Merged<Noun extends infer M ? (M extends unknown ? Endpoints<M> : never) : never>;

export type Contract = { readonly [K in keyof AllEndpoints]: AllEndpoints[K] };
export type EndpointName = keyof Contract;

type Calls = Readonly<Record<string, AnyEndpoint>>;

/** Each noun's calls stand under their names, so that they are what the type says; two nouns must not share a name. */
function assertWhole(calls: Calls): asserts calls is Calls & Contract {
  for (const [name, endpoint] of Object.values(nouns).flatMap(endpointsOf))
    if (calls[name] !== endpoint) throw new Error(`two calls are named ${name}`);
}

const calls: Calls = Object.fromEntries(Object.values(nouns).flatMap(endpointsOf));
assertWhole(calls);

/** Every call of the product by its name. */
export const contract: Contract = calls;
