import { defineConfig } from 'vitest/config';

// The long tests that break things on purpose; one file at a time, since they measure times. Each prints its figures.
const seed = Number(process.env.TEST_SEED ?? Date.now() % 2_147_483_648);
process.env.TEST_SEED = String(seed);
console.log(`random seed: ${seed} (TEST_SEED)`);

export default defineConfig({
  test: {
    include: ['server/faults/**/*.fault.ts'],
    globalSetup: 'server/testing/postgres-setup.ts',
    setupFiles: ['server/testing/seeded-properties.ts'],
    fileParallelism: false,
    disableConsoleIntercept: true,
    reporters: ['verbose'],
    testTimeout: 900_000,
    hookTimeout: 120_000,
  },
});
