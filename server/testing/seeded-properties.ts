import fc from 'fast-check';
import { randomSeed } from './random-seed.ts';

// What fast-check makes up is repeated by TEST_SEED too.
fc.configureGlobal({ seed: randomSeed });
