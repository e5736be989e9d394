import { afterAll, beforeAll, it } from 'vitest';
import { type EditRaces, edits, startEditRaces } from '#server/testing/edit-races.ts';
import { randomSeed } from '#server/testing/random-seed.ts';

const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 200);

let races: EditRaces;
beforeAll(async () => {
  races = await startEditRaces();
});
afterAll(() => races.close());

it.each(edits)(
  `%s: the change record holds over ${ROUNDS} rounds of two writers on two servers`,
  async (edit) => {
    console.log(edit, { rounds: ROUNDS, seed: randomSeed, ...(await races.run(edit, ROUNDS, randomSeed)) });
  },
);
