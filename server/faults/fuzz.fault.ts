import { fuzzCalls } from '#server/testing/fuzz-calls.ts';

// BODIES (500) for each call of the contract; a smaller number for a look.
fuzzCalls(Number(process.env.BODIES ?? 500));
