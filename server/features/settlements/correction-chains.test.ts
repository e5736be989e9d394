import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Chain, chains } from '#server/testing/chain-acts.ts';
import { type ChainGround, runChain } from '#server/testing/correction-chains.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import { randomSeed } from '#server/testing/random-seed.ts';
import { startTestServer } from '#server/testing/test-server.ts';
import { proveBets } from '../bets-proof/prove-bets.ts';

// A thousand of them run with `npm run test:faults -- correction-chains`.
const CHAINS = 4;
const KEY = 'platform-key-of-the-tests-of-corrections';

/** Paid, spent, taken back as a debt, paid off by a deposit and by being corrected back; with a void and its way back between. */
const everything: Chain = {
  balances: [0n, 100_000n, 0n],
  slips: [
    { player: 0, lines: [{ rules: 'first', chosen: ['9', '2'], unitStake: 20_000n }] },
    { player: 0, lines: [{ rules: 'size', chosen: ['小'], unitStake: 30_001n }] },
    { player: 1, lines: [{ rules: 'first', chosen: ['1'], unitStake: 50_000n }] },
  ],
  recordAt: 0,
  acts: [
    { kind: 'settle' },
    { kind: 'spend', player: 0, quarters: 4 },
    { kind: 'correct', to: '1,3,5,5,5', byResolve: false },
    { kind: 'settle' },
    { kind: 'withdraw', player: 0, quarters: 1 },
    { kind: 'writeOff', player: 0, quarters: 1 },
    { kind: 'deposit', player: 0, amount: 30_000n },
    { kind: 'void', of: 'size' },
    { kind: 'correct', to: '9,4,5,5,5', byResolve: false },
    { kind: 'settle' },
    { kind: 'correct', to: '9,4,5,5,5', byResolve: true },
    { kind: 'unvoid', which: 0 },
    { kind: 'settle' },
    { kind: 'correct', to: '9,3,5,5,5', byResolve: true },
  ],
};
let ground: ChainGround;
beforeAll(async () => {
  const server = await startTestServer({ platformApiKey: KEY });
  ground = { server, admin: await server.admin(), site: server.withToken(KEY), tally: {} };
});
afterAll(() => ground.server.close());

it('chains of corrections, voids and their ways back end where the last says, with debts to the cent', async () => {
  await fc.assert(
    fc.asyncProperty(chains, (chain) => runChain(ground, chain)),
    { seed: randomSeed, numRuns: CHAINS, examples: [[everything]] },
  );
  for (const what of [
    'corrections that moved something',
    'previews with a shortfall',
    'deposits that paid a debt',
    'debts written off in part',
  ])
    expect(ground.tally[what], what).toBeGreaterThan(0);
  await expectProven(ground.server.db);
  expect((await proveBets(ground.server.db)).breaks).toEqual([]);
});
