import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Random tests repeat with the same seed: TEST_SEED=… npm test
const seed = Number(process.env.TEST_SEED ?? Date.now() % 2_147_483_648);
process.env.TEST_SEED = String(seed);
console.log(`random seed: ${seed} (TEST_SEED)`);
// For the programs that tests start, some seventy of them: else each compiles the server anew. The same as `scripts/launch.mjs` has.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/compile', import.meta.url));

// A slow machine is no fault; what must be quick says so itself.
const limits = { testTimeout: 180_000, hookTimeout: 240_000, expect: { poll: { timeout: 20_000 } } };
const setupFiles = ['server/testing/seeded-properties.ts'];

export default defineConfig({
  test: {
    // Most of a server test is waiting, for PostgreSQL or until something is due: two processors keep five files busy.
    maxWorkers: Math.max(5, availableParallelism() - 1),
    projects: [
      {
        test: {
          name: 'rules',
          include: ['{contract,console,scripts}/**/*.test.{ts,tsx}'],
          // Pure functions leave nothing behind: what they import is loaded once a worker, not once a file.
          isolate: false,
          setupFiles,
          ...limits,
        },
      },
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          globalSetup: 'server/testing/postgres-setup.ts',
          // Each file has servers and a database of its own, made by functions: what they are made of is compiled once a worker.
          // Nearly half of what a file took was reading the program anew.
          isolate: false,
          // As with the journeys: what fails once is run once more and named at the end, to be looked into; twice fails the run.
          // Races about money say `retry: 0` themselves: one of them that fails at times has moved money wrongly at times.
          retry: 1,
          setupFiles,
          ...limits,
        },
      },
    ],
  },
});
