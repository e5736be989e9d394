import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EditRaces, edits, startEditRaces } from '#server/testing/edit-races.ts';
import { raceOperator } from '#server/testing/operator-races.ts';
import { randomSeed } from '#server/testing/random-seed.ts';
import { startTestServer } from '#server/testing/test-server.ts';

const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 200);
/** Each begins with a password of one's own, which takes its hashing. */
const OPERATOR_ROUNDS = Math.ceil(ROUNDS / 5);

let races: EditRaces;
beforeAll(async () => {
  races = await startEditRaces();
});
afterAll(() => races.close());

it.each(edits)(
  `%s: the change record holds over ${ROUNDS} rounds of two writers on two servers`,
  async (edit) => {
    const told = await races.run(edit, ROUNDS, randomSeed);
    console.log(edit, { rounds: ROUNDS, seed: randomSeed, ...told });
    expect(told.met, 'rounds in which both wrote at once').toBe(ROUNDS);
  },
);

it(`whatever is done to an operator: the change record holds over ${OPERATOR_ROUNDS} rounds on two servers`, async () => {
  const one = await startTestServer();
  const two = await startTestServer({}, one.database);
  try {
    const told = await raceOperator(one, two, OPERATOR_ROUNDS, randomSeed);
    console.log('operator', { rounds: OPERATOR_ROUNDS, seed: randomSeed, ...told });
  } finally {
    await two.close();
    await one.close();
  }
});
