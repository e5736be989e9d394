import { fuzzCalls } from '#server/testing/fuzz-calls.ts';

// A sample; `npm run test:faults -- fuzz` sends 500 bodies to each.
fuzzCalls(8);
