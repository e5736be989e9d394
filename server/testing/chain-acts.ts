import fc from 'fast-check';

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
const quarters = fc.integer({ min: 1, max: 4 });
const acts = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('settle' as const) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('correct' as const),
      to: fc.constantFrom(...results),
      byResolve: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('void' as const),
      of: fc.oneof(
        fc.constantFrom('all' as const, 'first' as const, 'second' as const, 'size' as const),
        fc.tuple(fc.nat({ max: 7 }), fc.nat({ max: 7 })),
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('unvoid' as const), which: fc.nat({ max: 9 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('deposit' as const), player, amount: fc.bigInt(1n, 500_000n) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('withdraw' as const), player, quarters }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('decide' as const), pay: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('spend' as const), player, quarters }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('writeOff' as const), player, quarters }) },
);
/** What is done in a chain. */
export type Act = typeof acts extends fc.Arbitrary<infer T> ? T : never;

/** A phase's slips, what their players have besides, when the record comes, and what is done then in a row. */
export const chains = fc.record({
  balances: fc.array(fc.bigInt(0n, 400_000n), { minLength: 3, maxLength: 3 }),
  slips: fc.array(fc.record({ player, lines: fc.array(lineArbitrary, { minLength: 1, maxLength: 3 }) }), {
    minLength: 1,
    maxLength: 8,
  }),
  recordAt: fc.nat({ max: 2 }),
  acts: fc.array(acts, { minLength: 4, maxLength: 14 }),
});
export type Chain = typeof chains extends fc.Arbitrary<infer T> ? T : never;
