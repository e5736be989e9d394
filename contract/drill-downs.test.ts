import { expect, it } from 'vitest';
import { drillDowns } from './drill-downs.ts';

const told = (noun: Parameters<typeof drillDowns>[0]) =>
  drillDowns(noun).map(({ title, screen, field }) => `${title} ${screen}?${field}`);

it('leads from a player to what they have', () => {
  expect(told('user')).toEqual([
    '账户 /main/user/account?userId',
    '账变记录 /main/user/account-history?userId',
    '充值订单 /main/user/deposit-record?userId',
    '提现订单 /main/user/withdraw-record?userId',
  ]);
});

it('leads from a game to all that hangs from it', () => {
  expect(told('game')).toEqual([
    '游戏号码 /main/game/number?gameId',
    '投注维度 /main/game/bet-latitude?gameId',
    '玩法分类 /main/game/playway-category?gameId',
    '玩法 /main/game/playway?gameId',
    '开奖计划 /main/game/open-plan?gameId',
    '开奖记录 /main/game/open-record?gameId',
    '开奖采集 /main/game/spider?gameId',
  ]);
});

it('leads nowhere from a row that no list is searched by', () => {
  expect(told('mailConfig')).toEqual([]);
});
