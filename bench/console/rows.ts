import type { PlayWay } from '#contract/play-ways.ts';

/** A ledger row, flat enough for every contestant. */
export interface LedgerRow {
  id: number;
  account: { userId: number; username: string; nickName: string };
  originAmount: string;
  amount: string;
  newAmount: string;
  direction: string;
  changeType: string;
  bizOrderNo: string;
  desc: string;
  createTime: string;
}

export interface TreeRow extends LedgerRow {
  childrens: TreeRow[];
}

const types = ['RECHARGE', 'WITHDRAW', 'BET', 'WIN', 'REBATE'];

export const ledgerRow = (id: number): LedgerRow => ({
  id,
  account: { userId: 10_000 + id, username: `player${id}`, nickName: `玩家 ${id}` },
  originAmount: `${id}.5000`,
  amount: '100.0000',
  newAmount: `${id + 100}.5000`,
  direction: id % 2 ? 'IN' : 'OUT',
  changeType: types[id % types.length] ?? 'BET',
  bizOrderNo: `ORD${String(id).padStart(12, '0')}`,
  desc: '投注返点结算',
  createTime: '2026-03-18 12:00:00',
});

export const ledgerRows = (count: number, from = 1): LedgerRow[] =>
  Array.from({ length: count }, (_, index) => ledgerRow(from + index));

/** 200 rows of 20 rows each. */
export const treeRows = (): TreeRow[] =>
  Array.from({ length: 200 }, (_, top) => ({
    ...ledgerRow(top * 21 + 1),
    childrens: Array.from({ length: 20 }, (_below, child) => ({
      ...ledgerRow(top * 21 + 2 + child),
      childrens: [],
    })),
  }));

/** The play ways of a game: 200 of them, each with 20 odds. */
export const playWayRows = (): PlayWay[] =>
  Array.from({ length: 200 }, (_, top) => ({
    ...{
      id: top + 1,
      version: 1,
      gameId: 1,
      categoryId: 1,
      subCategoryId: 2,
      betLatitudeId: 1,
      showRate: '19.8',
    },
    ...{ name: `玩法 ${top}`, margin: '1.0101', selection: null, oddsFrom: 'NUMBER' as const },
    ...{ outcomes: [], returnRate: '0.99', stopped: false },
    odds: Array.from({ length: 20 }, (_below, number) => ({
      ...{ id: 10_000 + top * 20 + number, numberId: number + 1, number: String(number + 1), odds: '19.8' },
      ...{ version: 1, playWayId: top + 1, returnRate: '0.99', stopped: false },
    })),
  }));
