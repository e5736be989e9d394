import fc from 'fast-check';
import type { ResultRule } from '#contract/result-rules.ts';
import type { SelectionRule } from '#contract/selections.ts';
import { type OddsRow, type Play, playOf } from '#server/features/bets/play.ts';
import { partsOfRule, type Selection } from '#server/features/bets/selection.ts';

/* What bets on small games are built of. */

export const numbersTo = (most: number) => Array.from({ length: most }, (_, index) => String(index + 1));

/** What a unit wins of a draw, told by listing: the odds it is paid, or that it is given back. */
type Told = string | 'PUSH' | undefined;
export interface BetCase {
  readonly what: string;
  readonly play: Play;
  readonly selection: Selection;
  readonly told: (unit: string[][], drawn: readonly string[]) => Told;
}

const oneRow: OddsRow[] = [{ number: '玩法', odds: '3.3333' }];

interface Way {
  readonly resultRule: ResultRule;
  readonly rule: SelectionRule;
  readonly handler: string;
  readonly options?: object;
  readonly rows?: readonly OddsRow[];
  readonly lowest?: boolean;
}

export const build = ({ resultRule, rule, handler, options, rows = oneRow, lowest = false }: Way): Play =>
  playOf({
    latitude: {
      resultIndex: '*',
      resultHandlerName: handler,
      handlerOptions: options && JSON.stringify(options),
    },
    selection: rule,
    oddsFrom: lowest ? 'LOWEST' : 'OUTCOME',
    rows,
    resultRule,
  });

/** A selection that a rule allows, with bankers where it has them. */
export const chosenBy = (rule: SelectionRule): fc.Arbitrary<Selection> => {
  const used = (before: Selection) => before.flatMap(({ numbers }) => numbers);
  const parts = partsOfRule(rule);
  const part = (place: number, before: Selection): fc.Arbitrary<Selection> => {
    const own = parts[place];
    if (!own) return fc.constant(before);
    const free = rule.kind === 'GROUP' ? own.pool.filter((each) => !used(before).includes(each)) : own.pool;
    return fc
      .tuple(
        fc.shuffledSubarray([...free], { minLength: Math.min(own.choose, free.length) }),
        fc.nat(own.mayBank ? own.choose - 1 : 0),
      )
      .chain(([chosen, banked]) =>
        part(place + 1, [...before, { bankers: chosen.slice(0, banked), numbers: chosen.slice(banked) }]),
      );
  };
  return part(0, []);
};

export const part = (count: number, size: number, repeat: boolean): ResultRule['parts'][number] => ({
  ...{ count, of: numbersTo(size), repeat, ordered: true },
});
export const oneOf = (count: number, size: number, repeat: boolean): ResultRule => ({
  parts: [part(count, size, repeat)],
});

/** Draws of few numbers, with or without repeats. */
export const small = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 4, max: 6 }), fc.boolean())
  .map(([count, size, repeat]) => ({ count, size, resultRule: oneOf(count, size, repeat) }));
