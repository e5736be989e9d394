import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { proveBets } from '#server/features/bets-proof/prove-bets.ts';
import { type Chain, chains } from '#server/testing/chain-acts.ts';
import { type ChainGround, runChain } from '#server/testing/correction-chains.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import { randomSeed } from '#server/testing/random-seed.ts';
import { startTestServer } from '#server/testing/test-server.ts';

// CHAINS=50 for a quick look.
const CHAINS = Number(process.env.CHAINS ?? 1_000);
const PATIENCE_MS = 60 * 60_000;
/** A session outlives no more than a quarter of an hour. */
const CHAINS_A_SESSION = 50;
const KEY = 'platform-key-of-the-chains';
let ground: ChainGround;
beforeAll(async () => {
  const server = await startTestServer({ platformApiKey: KEY });
  ground = { server, admin: await server.admin(), site: server.withToken(KEY), tally: {} };
});
afterAll(() => ground?.server.close());

let run = 0;
async function inSession(chain: Chain): Promise<void> {
  const { server } = ground;
  const { adminUsername, adminPassword } = server.config;
  if (run++ % CHAINS_A_SESSION === 0)
    ground = { ...ground, admin: await server.as(adminUsername, adminPassword ?? '') };
  await runChain(ground, chain);
}

const expected = [
  ...['corrections applied', 'corrections refused while settling', 'corrections posted as foreseen'],
  ...['corrections that moved something', 'previews with a shortfall', 'voids', 'voids taken back'],
  ...[
    'deposits that paid a debt',
    'withdrawals placed',
    'withdrawals refused',
    'payments refused for a debt',
  ],
  ...['debts written off', 'debts written off in part'],
];

it(
  `${CHAINS} random chains of corrections, voids and their ways back, with money coming and going, end at the last one's target`,
  async () => {
    const began = performance.now();
    await fc.assert(fc.asyncProperty(chains, inSession), { seed: randomSeed, numRuns: CHAINS });
    const seconds = (performance.now() - began) / 1_000;
    console.log(`${CHAINS} chains in ${seconds.toFixed(0)} s:`, ground.tally);
    for (const what of expected) expect(ground.tally[what] ?? 0, what).toBeGreaterThan(0);
    const ledger = await expectProven(ground.server.db);
    const bets = await proveBets(ground.server.db);
    expect(bets.breaks).toEqual([]);
    console.log(
      `proven: ${bets.slips} slips, ${JSON.stringify({ ...ledger, breaks: ledger.breaks.length })}`,
    );
  },
  PATIENCE_MS,
);
