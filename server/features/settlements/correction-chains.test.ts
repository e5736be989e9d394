import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Chain, type World, worlds } from '#server/testing/chain-acts.ts';
import { type ChainServer, runWorld, startChains } from '#server/testing/chain-world.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import { randomSeed } from '#server/testing/random-seed.ts';
import { proveBets } from '../bets-proof/prove-bets.ts';

// A thousand of them run with `npm run test:faults -- correction-chains`.
const CHAINS = 4;

const digitsOf = { rules: 'first' as const, unitStake: 20_000n };
const slips: Chain['slips'] = [
  { player: 0, isCancelled: false, lines: [{ ...digitsOf, chosen: ['9', '2'] }] },
  {
    ...{ player: 0, isCancelled: false },
    lines: [{ rules: 'size', chosen: ['小'], unitStake: 30_001n }],
  },
  { player: 1, isCancelled: false, lines: [{ ...digitsOf, chosen: ['1'], unitStake: 50_000n }] },
  { player: 1, isCancelled: true, lines: [{ ...digitsOf, chosen: ['9'] }] },
];
/** Paid, spent, taken back as a debt, paid off by a deposit and by being corrected back; with a void and its way back between. */
const owing: Chain = {
  ...{ balances: [0n, 100_000n, 0n], slips, recordAt: 0 },
  acts: [
    { kind: 'decide', pay: true },
    { kind: 'spend', player: 0, quarters: 4 },
    { kind: 'correct', to: '1,3,5,5,5', byResolve: false },
    { kind: 'withdraw', player: 0, quarters: 1 },
    { kind: 'writeOff', player: 0, quarters: 1 },
    { kind: 'deposit', player: 0, amount: 30_000n },
    { kind: 'void', of: 'size' },
    { kind: 'correct', to: '9,4,5,5,5', byResolve: false },
    { kind: 'correct', to: '9,4,5,5,5', byResolve: true },
    { kind: 'unvoid', which: 0 },
    { kind: 'correct', to: '9,3,5,5,5', byResolve: true },
  ],
};
/** One slip void, back and void again before the draw; a win held, corrected away and back, let go. */
const held: Chain = {
  ...{ balances: [0n, 0n, 0n], slips, recordAt: 3 },
  acts: [
    { kind: 'voidSlip', which: 1 },
    { kind: 'unvoid', which: 0 },
    { kind: 'voidSlip', which: 1 },
    { kind: 'unvoid', which: 0 },
    { kind: 'correct', to: '1,3,5,5,5', byResolve: false },
    { kind: 'release', which: 0 },
    { kind: 'void', of: 'second' },
    { kind: 'correct', to: '9,4,5,5,5', byResolve: false },
    { kind: 'release', which: null },
  ],
};
const settleAlways = [0n, 0n, 0n, 100_000n, 100_000n, null, 0n, 100_000n, null, 0n, 0n, 0n];
const example: World = { bySecond: true, settlings: settleAlways, chains: [owing, held] };
let chains: ChainServer;
beforeAll(async () => {
  chains = await startChains();
});
afterAll(() => chains.server.close());

it('chains of corrections, voids and their ways back end where the last says, with debts to the cent', async () => {
  const [random] = fc.sample(worlds(CHAINS), { seed: randomSeed, numRuns: 1 });
  await runWorld(chains, { ...example, chains: [...example.chains, ...(random?.chains ?? [])] });
  for (const what of [
    ...['corrections that moved something', 'previews with a shortfall', 'deposits that paid a debt'],
    ...['debts written off in part', 'slips cancelled', 'voids of one slip', 'voids of one slip taken back'],
    ...['voids of one slip left after the draw', 'wins held', 'one held win let go', 'all held wins let go'],
    ...['corrections while wins were held', 'acts released by a second operator'],
  ])
    expect(chains.tally[what] ?? 0, what).toBeGreaterThan(0);
  await expectProven(chains.server.db);
  expect((await proveBets(chains.server.db)).breaks).toEqual([]);
});
