import { expect, it } from 'vitest';
import { drillDowns, relatedLists, rowLinks } from './drill-downs.ts';

const told = (noun: Parameters<typeof drillDowns>[0]) =>
  drillDowns(noun).map(({ title, screen, field }) => `${title} ${screen}?${field}`);

it('leads from a player to what they have', () => {
  expect(told('user')).toEqual([
    '注单 /main/bet/slip?userId',
    '盈亏报表 /main/bet/report?userId',
    '代理 /main/bet/agent?userId',
    '账户 /main/user/account?userId',
    '账变记录 /main/user/account-history?userId',
    '充值订单 /main/user/deposit-record?userId',
    '提现订单 /main/user/withdraw-record?userId',
    '操作日志 /main/system/change-record?userId',
  ]);
});

it('leads from a game to all that hangs from it', () => {
  expect(told('game')).toEqual([
    '游戏号码 /main/game/number?gameId',
    '玩法分类 /main/game/playway-category?gameId',
    '玩法 /main/game/playway?gameId',
    '开奖记录 /main/game/open-record?gameId',
    '开奖计划 /main/game/open-plan?gameId',
    '开奖采集 /main/game/spider?gameId',
    '投注维度 /main/game/bet-latitude?gameId',
    '注单 /main/bet/slip?gameId',
    '结算 /main/bet/settlement?gameId',
    '限额 /main/bet/limit?gameId',
    '盈亏报表 /main/bet/report?gameId',
  ]);
});

it('leads from an agent to those below, by a name of their own', () => {
  expect(told('agent')).toEqual(
    expect.arrayContaining(['下级代理 /main/bet/agent?parentId', '用户 /main/user/user?agentId']),
  );
});

it('calls a list as its screen is called', () => {
  expect(told('gameCategory')).toEqual([
    '游戏 /main/game/lottery?categoryId',
    '返水比例 /main/bet/rebate-rate?categoryId',
  ]);
});

it('leads from what rules are made of to what is made with them', () => {
  expect(told('role')).toEqual(['操作员 /main/pms/operator?roleId']);
  expect(told('betLatitude')).toEqual(['玩法 /main/game/playway?betLatitudeId']);
  expect(told('playWayCategory')).toEqual(['玩法 /main/game/playway?categoryId']);
});

it('leads from no row to itself', () => {
  expect(told('slip')).toEqual([]);
  const screens = rowLinks('account', { id: 1, userId: 7 }).map(({ screen }) => screen);
  expect(screens).toContain('/main/user/account-history');
  expect(screens).not.toContain('/main/user/account');
});

it('leads to each screen once, from a row, its phase or its player', () => {
  expect(rowLinks('drawPlan', { id: 3, gameId: 1, phase: '12' })).toContainEqual({
    ...{ title: '开奖记录', screen: '/main/game/open-record', search: { gameId: '1', phase: '12' } },
  });
  const ofAgent = rowLinks('agent', { id: 1, userId: 7 });
  expect(ofAgent.filter(({ title }) => title === '注单').map(({ search }) => search)).toEqual([
    { agentId: '1' },
  ]);
  const screens = ofAgent.map(({ screen }) => screen);
  expect(screens).toEqual([...new Set(screens)]);
});

it('leads nowhere from a row that no list is searched by', () => {
  expect(told('mailConfig')).toEqual([]);
});

it('leads from a phase to what else there is of it', () => {
  const lists = (noun: 'drawPlan' | 'drawRecord' | 'user') =>
    relatedLists(noun).map(({ title, screen, fields }) => `${title} ${screen}?${fields.join('&')}`);
  expect(lists('drawPlan')).toEqual(
    expect.arrayContaining([
      '开奖记录 /main/game/open-record?gameId&phase',
      '注单 /main/bet/slip?gameId&phase',
      '结算 /main/bet/settlement?gameId&phase',
      '单期风险 /main/bet/exposure?gameId&phase',
    ]),
  );
  expect(lists('drawRecord')).toEqual(
    expect.arrayContaining([
      '开奖计划 /main/game/open-plan?gameId&phase',
      '注单 /main/bet/slip?gameId&phase',
      '结算 /main/bet/settlement?gameId&phase',
      '单期风险 /main/bet/exposure?gameId&phase',
    ]),
  );
  expect(lists('user')).toEqual([]);
});

it('leads from an operator to their sign-ins and to what they did, but from no role by its name', () => {
  expect(rowLinks('operator', { id: 4, userName: '值班' })).toEqual(
    expect.arrayContaining([
      { title: '登录日志', screen: '/main/pms/login-record', search: { userName: '值班' } },
      { title: '在线会话', screen: '/main/pms/online-session', search: { userName: '值班' } },
      { title: '操作日志', screen: '/main/system/change-record', search: { userName: '值班' } },
    ]),
  );
  expect(relatedLists('role')).toEqual([]);
});
