import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { proveBets } from '#server/features/bets-proof/prove-bets.ts';
import { worlds } from '#server/testing/chain-acts.ts';
import { type ChainServer, runWorld, startChains } from '#server/testing/chain-world.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import { randomSeed } from '#server/testing/random-seed.ts';

// The rarest of what chains have to come across, debts above all, comes about once in a thousand; CHAINS=100 is a quick look.
const CHAINS = Number(process.env.CHAINS ?? 3_000);
const CHAINS_A_WORLD = 25;
const PATIENCE_MS = 60 * 60_000;
let chains: ChainServer;
beforeAll(async () => {
  chains = await startChains();
});
afterAll(() => chains?.server.close());

/** What chains have to have come across. */
const expected = [
  ...['corrections applied', 'corrections refused while settling', 'corrections posted as foreseen'],
  ...['corrections that moved something', 'previews with a shortfall', 'acts released by a second operator'],
  ...['voids', 'voids taken back', 'voids refused', 'slips cancelled'],
  ...['voids of one slip', 'voids of one slip refused', 'voids of one slip taken back'],
  ...['voids of one slip left after the draw', 'wins held', 'all held wins let go', 'one held win let go'],
  'held wins kept for what has begun since',
  ...['corrections while wins were held', 'corrections posted in part', 'voids while wins were held'],
  ...['deposits', 'deposits that paid a debt', 'withdrawals placed', 'withdrawals refused for a debt'],
  ...['withdrawals paid', 'withdrawals rejected', 'withdrawals rejected that paid a debt'],
  ...['payments refused for a debt', 'debts written off', 'debts written off in part'],
];

it(
  `${CHAINS} random chains of corrections, voids and their ways back, with money coming and going, end at the last one's target`,
  async () => {
    const began = performance.now();
    const numRuns = Math.ceil(CHAINS / CHAINS_A_WORLD);
    // A world takes seconds: the one that fails is told as it is, with the seed that makes it again.
    await fc.assert(
      fc.asyncProperty(worlds(CHAINS_A_WORLD), (world) => runWorld(chains, world)),
      { seed: randomSeed, numRuns, endOnFailure: true },
    );
    const seconds = (performance.now() - began) / 1_000;
    console.log(`${numRuns * CHAINS_A_WORLD} chains in ${seconds.toFixed(0)} s:`, chains.tally);
    const ledger = await expectProven(chains.server.db);
    const bets = await proveBets(chains.server.db);
    expect(bets.breaks).toEqual([]);
    console.log(
      `proven: ${bets.slips} slips, ${JSON.stringify({ ...ledger, breaks: ledger.breaks.length })}`,
    );
    // Last, since a rare act may be missing from few chains whose money is right all the same.
    for (const what of expected) expect(chains.tally[what] ?? 0, what).toBeGreaterThan(0);
  },
  PATIENCE_MS,
);
