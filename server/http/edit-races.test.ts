import { afterAll, beforeAll, expect, it } from 'vitest';
import { contract } from '#contract/all.ts';
import { type EditRaces, edits, startEditRaces } from '#server/testing/edit-races.ts';
import { raceOperator } from '#server/testing/operator-races.ts';
import { randomSeed } from '#server/testing/random-seed.ts';
import { startTestServer } from '#server/testing/test-server.ts';

/** A sample; two hundred of them run among the fault tests. */
const ROUNDS = 20;

let races: EditRaces;
beforeAll(async () => {
  races = await startEditRaces();
});
afterAll(() => races.close());

it('every call that edits a row says which', () => {
  const updates = Object.keys(contract).filter((name) => name.startsWith('update'));
  expect(updates.filter((name) => !edits.some((edit) => edit === name))).toEqual(['updateGamePhase']);
});

it.each(edits)(
  '%s: what the record says holds while two write at once on two servers',
  { retry: 0 },
  async (edit) => {
    const { successes, met } = await races.run(edit, ROUNDS, randomSeed);
    expect(successes).toBeGreaterThan(0);
    expect(met, 'rounds in which both wrote at once').toBe(ROUNDS);
  },
);

it('whatever is done to an operator, or by them to themselves, from two servers at once: the record holds', {
  retry: 0,
}, async () => {
  const one = await startTestServer();
  const two = await startTestServer({}, one.database);
  try {
    const { successes } = await raceOperator(one, two, 6, randomSeed);
    expect(successes).toBeGreaterThan(0);
  } finally {
    await two.close();
    await one.close();
  }
});
