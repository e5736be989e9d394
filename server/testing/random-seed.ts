/** The seed of this run's random tests, printed at its start: `fc.assert(property, { seed: randomSeed })`. */
export const randomSeed = Number(process.env.TEST_SEED ?? 1);
