import { expect, it } from 'vitest';
import { waysOf } from './report-ways.ts';

it('a day leads to its games, a game to its play ways, and so on to the slips that a row counts', () => {
  const range = ['2026-03-01', '2026-03-31'];
  expect(waysOf({ key: '2026-03-02' }, { range, agentId: '5' })).toEqual({
    into: { groupBy: 'GAME', range: ['2026-03-02', '2026-03-02'], agentId: '5' },
    slips: { dayRange: ['2026-03-02', '2026-03-02'], agentId: '5', testAccount: 'false' },
  });
  expect(waysOf({ key: '7' }, { groupBy: 'GAME', range })).toEqual({
    into: { groupBy: 'PLAY_WAY', range, gameId: '7' },
    slips: { dayRange: range, gameId: '7', testAccount: 'false' },
  });
  expect(waysOf({ key: '9' }, { groupBy: 'PLAY_WAY', gameId: '7' })?.into).toEqual({
    ...{ groupBy: 'USER', gameId: '7', playWayId: '9' },
  });
  expect(waysOf({ key: '3' }, { groupBy: 'USER', gameId: '7' })).toEqual({
    into: { groupBy: 'DAY', gameId: '7', userId: '3' },
    slips: { gameId: '7', userId: '3', testAccount: 'false' },
  });
  expect(waysOf({ key: '4' }, { groupBy: 'AGENT', range })?.into).toEqual({
    groupBy: 'USER',
    range,
    agentId: '4',
  });
});

it('what belongs to no game, play way or agent leads nowhere', () => {
  expect(waysOf({ key: '0' }, { groupBy: 'GAME' })).toBeUndefined();
});
