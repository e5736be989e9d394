import { expect } from 'vitest';
import type { CorrectionPreview } from '#contract/corrections.ts';
import { type ChainSlip, type Moved, textOf, type Units, unitsOf } from './chain-model.ts';

/** Compares a preview with what the model of a chain would move. */
export function expectForeseen(
  foreseen: CorrectionPreview,
  moved: readonly Moved[],
  { slips, slipIds }: { readonly slips: readonly ChainSlip[]; readonly slipIds: readonly number[] },
): void {
  const users = new Set(moved.map(({ place }) => slips[place]?.player));
  const total = (of: (each: Moved) => Units) =>
    textOf(moved.map(of).reduce((sum, each) => sum + (each > 0n ? each : 0n), 0n));
  const amounts = (['toPay', 'toTakeBack', 'shortfall'] as const).map((name) => [
    name,
    textOf(unitsOf(foreseen[name])),
  ]);
  const told = {
    ...{ slips: foreseen.slips, users: foreseen.users, held: foreseen.held },
    ...Object.fromEntries(amounts),
    items: foreseen.items.map(({ slipId, before, after, shortfall }) =>
      [slipId, ...[before, after, shortfall].map((each) => textOf(unitsOf(each)))].join(' '),
    ),
  };
  expect(told).toEqual({
    ...{ slips: moved.length, users: users.size, held: 0 },
    toPay: total(({ before, after }) => after - before),
    toTakeBack: total(({ before, after }) => before - after),
    shortfall: total(({ shortfall }) => shortfall),
    items: moved.map(({ place, before, after, shortfall }) =>
      [slipIds[place], ...[before, after, shortfall].map(textOf)].join(' '),
    ),
  });
}
