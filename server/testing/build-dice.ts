import fc from 'fast-check';
import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { addPhase, addPlayWay, takeBets } from './build-betting.ts';
import { buildGame } from './build-game.ts';
import { ownerOf } from './owner-of.ts';

export const faces = ['1', '2', '3', '4', '5', '6'];
const sums = Array.from({ length: 16 }, (_, index) => String(index + 3));
const words = ['大', '小', '龙', '虎', '和'];

/** Some of these, at random, as a selection is written. */
export const someOf = (numbers: readonly string[], least = 1) =>
  fc.shuffledSubarray([...numbers], { minLength: least }).map((chosen) => chosen.join(','));

/** Every draw of three dice. */
export const everyDice: readonly string[] = faces.flatMap((a) =>
  faces.flatMap((b) => faces.map((c) => `${a},${b},${c}`)),
);

const oddsFor = (numbers: readonly string[], odds: (place: number) => string) =>
  Object.fromEntries(numbers.map((number, place) => [number, odds(place)]));

const ways = {
  /** Triples lose, and a sum of 10 gives stakes back. */
  size: {
    latitude: {
      ...{ name: '大小', resultIndex: '*', handler: 'SumBigSmallHandler' },
      options: { from: 11, tripleLoses: true, push: [10] },
    },
    selection: null,
    odds: oddsFor(['大', '小'], () => '1.95'),
  },
  sum: {
    latitude: { name: '和值', resultIndex: '*', handler: 'SumHandler' },
    selection: null,
    odds: oddsFor(sums, (place) => String(190 - 10 * Math.min(place, 15 - place))),
  },
  /** Of the first two dice; equal ones give stakes back. */
  dragon: {
    latitude: { name: '龙虎', resultIndex: '0,1', handler: 'DragonTigerHandler' },
    selection: null,
    odds: oddsFor(['龙', '虎', '和'], (place) => (place === 2 ? '5.5' : '1.98')),
  },
  /** Up to three of them come at once. */
  face: {
    latitude: { name: '三军', resultIndex: '*', handler: 'ContainsHandler' },
    selection: null,
    odds: oddsFor(faces, (place) => `1.9${place}`),
  },
  pair: {
    latitude: { name: '二不同', resultIndex: '*', handler: 'ContainsHandler' },
    selection: { kind: 'COMBINATION' as const, choose: 2, of: faces },
    odds: { pair: '6.5' },
  },
  straight: {
    latitude: { name: '直选', resultIndex: '*', handler: 'ValueHandler' },
    selection: { kind: 'PLACES' as const, places: 3, of: faces },
    odds: { straight: '180' },
  },
};
export type DiceWay = keyof typeof ways;

/** A game of three dice that takes bets now, with ways to bet of every sort. */
export interface Dice {
  readonly gameId: number;
  readonly phase: string;
  readonly playWays: Readonly<Record<DiceWay, number>>;
}

/** Makes a game of three dice; its phase draws in so many seconds. */
export async function buildDice(db: Db, { to = 3_600 } = {}): Promise<Dice> {
  const gameId = await buildGame(db, {
    stopBetSecond: 2,
    openRate: 300,
    numbers: [...words, ...faces, ...sums.slice(4)],
  });
  const resultRule = { parts: [{ count: 3, of: faces, repeat: true, ordered: true }] };
  await takeBets(db, gameId, resultRule);
  const added = new Map<string, number>();
  for (const [name, way] of Object.entries(ways))
    added.set(name, await addPlayWay(db, gameId, { name, ...way }));
  const idOf = (name: DiceWay) => added.get(name) ?? 0;
  await addPhase(db, gameId, '1000', -60, to);
  return {
    ...{ gameId, phase: '1000' },
    playWays: {
      ...{ size: idOf('size'), sum: idOf('sum'), dragon: idOf('dragon') },
      ...{ face: idOf('face'), pair: idOf('pair'), straight: idOf('straight') },
    },
  };
}

/** Ends the phase now, as waiting for its end would: what was bet on it stays, and it can be drawn. */
export async function endPhase(db: Db, { gameId, phase }: Pick<Dice, 'gameId' | 'phase'>): Promise<void> {
  await ownerOf(db)
    .transaction()
    .execute(async (tx) => {
      // The times of a plan with slips are final.
      await sql`alter table draw_plan disable trigger user`.execute(tx);
      await sql`
      update draw_plan set "startTime" = now() - interval '10 minutes', "endTime" = now() - interval '1 minute', status = 'OPENING'
      where "gameId" = ${gameId} and phase = ${phase}`.execute(tx);
      await sql`alter table draw_plan enable trigger user`.execute(tx);
    });
}
