import fc from 'fast-check';
import type { Units } from './chain-model.ts';

/** What sources said of a chain's record, the standing result first. */
export const results = [
  '9,3,5,5,5',
  '1,3,5,5,5',
  '7,4,5,5,5',
  '9,4,5,5,5',
  '4,9,5,5,5',
  '5,0,5,5,5',
] as const;
const digits = [...'0123456789'];

const lineArbitrary = fc.oneof(
  fc.record({
    rules: fc.constantFrom('first' as const, 'second' as const),
    chosen: fc.uniqueArray(fc.constantFrom(...digits), { minLength: 1, maxLength: 6 }),
    unitStake: fc.bigInt(1n, 60_000n),
  }),
  fc.record({
    rules: fc.constant('size' as const),
    chosen: fc.uniqueArray(fc.constantFrom('大', '小'), { minLength: 1, maxLength: 2 }),
    unitStake: fc.bigInt(1n, 60_000n),
  }),
);
const player = fc.nat({ max: 2 });
/** Of what there is; mostly all of it. */
const quarters = fc.constantFrom(1, 2, 3, 4, 4, 4);
const which = fc.nat({ max: 9 });
const said = <const K extends string>(kind: K) => fc.constant(kind);

const acts = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: said('correct'),
      to: fc.constantFrom(...results),
      byResolve: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: said('void'),
      of: fc.oneof(
        fc.constantFrom('all' as const, 'first' as const, 'second' as const, 'size' as const),
        fc.tuple(fc.nat({ max: 7 }), fc.nat({ max: 7 })),
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: said('voidSlip'), which }) },
  { weight: 2, arbitrary: fc.record({ kind: said('unvoid'), which }) },
  // Those who owe are given and forgiven first: among few players few would be met otherwise.
  { weight: 3, arbitrary: fc.record({ kind: said('deposit'), player, amount: fc.bigInt(1n, 500_000n) }) },
  // Only whoever has spent what was paid out can come to owe.
  { weight: 4, arbitrary: fc.record({ kind: said('withdraw'), player, quarters }) },
  { weight: 3, arbitrary: fc.record({ kind: said('decide'), pay: fc.boolean() }) },
  { weight: 5, arbitrary: fc.record({ kind: said('spend'), player, quarters }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: said('writeOff'), player, quarters: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: said('release'), which: fc.option(which) }) },
);
/** What is done in a chain. */
export type Act = typeof acts extends fc.Arbitrary<infer T> ? T : never;

/** So many steps all chains of a world take together: an act each, then those settlements that have begun are worked off, or not yet. */
const STEPS = 12;

const slip = fc.record({
  player,
  lines: fc.array(lineArbitrary, { minLength: 1, maxLength: 3 }),
  /** Taken back before its phase closes. */
  isCancelled: fc.integer({ min: 0, max: 9 }).map((of) => of === 0),
});

/** A phase's slips, what their players have besides, when the record comes, and what is done in a row. */
const chains = fc.record({
  balances: fc.array(fc.bigInt(0n, 60_000n), { minLength: 3, maxLength: 3 }),
  slips: fc.array(slip, { minLength: 1, maxLength: 8 }),
  recordAt: fc.nat({ max: 3 }),
  acts: fc.array(acts, { minLength: 4, maxLength: STEPS }),
});
export type Chain = typeof chains extends fc.Arbitrary<infer T> ? T : never;

/** Whether the step settles; if so, what a slip may win without being held for a look, 0 for whatever it wins. */
const settling = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  { weight: 3, arbitrary: fc.constantFrom<Units>(0n, 0n, 50_000n, 200_000n) },
);

/** Chains that run side by side, each on a phase and players of its own; what all are subject to is the world's. */
export const worlds = (size: number) =>
  fc.record({
    /** Whether what is done waits for a second operator. */
    bySecond: fc.boolean(),
    settlings: fc.array(settling, { minLength: STEPS, maxLength: STEPS }),
    chains: fc.array(chains, { minLength: size, maxLength: size }),
  });
export type World = ReturnType<typeof worlds> extends fc.Arbitrary<infer T> ? T : never;
