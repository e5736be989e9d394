import { missing } from '#server/features/missing.ts';

// Printed by `npm run contract:missing`: the declared calls that still answer 501. Empty when the product is whole.
for (const name of missing) console.log(name);
