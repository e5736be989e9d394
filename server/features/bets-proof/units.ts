import {
  animalOfBall,
  bare,
  bareParts,
  type Draw,
  type KeptRules,
  type KeptSelection,
  Untold,
  whole,
  winners,
} from './handlers-proof.ts';

/** What a unit came to: a row of odds, its stake back, or nothing. */
export type Came = { readonly row: string } | 'push' | 'lost';

/** All ways to take `size` of these. */
export function* subsets(all: readonly string[], size: number, from = 0): Generator<string[]> {
  if (size === 0) yield [];
  else
    for (let place = from; place <= all.length - size; place++)
      for (const rest of subsets(all, size - 1, place + 1)) yield [all[place] ?? '', ...rest];
}

function* product(lists: readonly (() => Iterable<string[]>)[], at = 0): Generator<string[][]> {
  const list = lists[at];
  if (!list) yield [];
  else for (const one of list()) for (const rest of product(lists, at + 1)) yield [one, ...rest];
}

/** A part as it was written: `(bankers)others`. */
function part(text: string): { bankers: string[]; others: string[] } {
  const split = /^\((.*)\)(.*)$/.exec(text);
  const list = (all: string | undefined) => (all ? all.split(',') : []);
  return { bankers: list(split?.[1]), others: list(split ? split[2] : text) };
}

function* withBankers(text: string, choose: number): Generator<string[]> {
  const { bankers, others } = part(text);
  for (const rest of subsets(others, choose - bankers.length)) yield [...bankers, ...rest];
}

const isApart = (unit: readonly (readonly string[])[]): boolean => {
  const all = unit.flat();
  return new Set(all).size === all.length;
};

/** Every unit of a selection, part by part. */
export function* unitsOf(
  text: string,
  { kind, choose = 0, parts = [], distinct, shared }: KeptSelection,
): Generator<string[][]> {
  if (kind === 'COMBINATION') for (const unit of withBankers(text, choose)) yield [unit];
  else if (kind === 'TICKET') {
    const texts = text.split('+');
    yield* product(parts.map((own, place) => () => withBankers(texts[place] ?? '', own.choose)));
  } else if (kind === 'PLACES') {
    const sets = text.split('|').map((set) => set.split(',').map((number) => [number]));
    for (const unit of product(sets.map((set) => () => set))) if (!distinct || isApart(unit)) yield unit;
  } else {
    const texts = text.split('|');
    const sets = parts.map(
      (own, place) => () => subsets((texts[shared ? 0 : place] ?? '').split(','), own.choose),
    );
    for (const unit of product(sets)) if (isApart(unit)) yield unit;
  }
}

const times = (number: string, values: readonly string[]): number =>
  values.filter((value) => bare(value) === bare(number)).length;

/** Hits of a unit of prizes, in each group of positions; a part of a ticket is looked for in its own group only. */
function prizeHits(
  unit: readonly (readonly string[])[],
  { values }: Draw,
  groups: readonly number[],
  isTicket: boolean,
): number[] {
  if (groups.reduce((sum, size) => sum + size, 0) !== values.length) throw new Untold('奖级的位置不符');
  let start = 0;
  return groups.map((size, group) => {
    const own = values.slice(start, start + size);
    start += size;
    const wanted = isTicket ? (unit[group] ?? []) : unit.flat();
    return wanted.reduce((hits, number) => hits + times(number, own), 0);
  });
}

function prize(unit: readonly (readonly string[])[], draw: Draw, { options, selection }: KeptRules): Came {
  const groups = options.groups ?? [draw.values.length];
  const hits = prizeHits(unit, draw, groups, selection?.kind === 'TICKET');
  const named = Object.entries(options.prizes ?? {});
  const [found] = named.filter(([, ways]) => ways.some((way) => String(way) === String(hits)));
  return found ? { row: found[0] } : 'lost';
}

/** Whether a number of a unit was drawn, by what the handler compares. */
function isHit(number: string, { values, date }: Draw, handler: string): boolean {
  if (handler === 'ContainsHandler') return times(number, values) > 0;
  if (handler === 'SumHandler')
    return bare(number) === String(values.reduce((sum, value) => sum + whole(value), 0));
  if (handler === 'TailHandler')
    return values.some((value) => String(whole(value) % 10) === number.replace('尾', ''));
  if (handler === 'ZodiacHandler') return values.some((value) => animalOfBall(whole(value), date) === number);
  throw new Untold(`${handler} 不能判定多个号码`);
}

const lowestRow = (numbers: readonly string[], { odds }: KeptRules): string => {
  const own = odds.filter(({ number }) => numbers.includes(number));
  return own.toSorted((a, b) => Number(a.odds) - Number(b.odds))[0]?.number ?? '';
};

/** What a unit of several numbers came to. Where it is only won or lost, its row has no name. */
export function cameOf(unit: readonly (readonly string[])[], draw: Draw, rules: KeptRules): Came {
  const { handler, selection, oddsFrom } = rules;
  if (handler === 'ZodiacHandler' && winners.ZodiacHandler?.(draw, rules.options) === 'push') return 'push';
  const won = (isWon: boolean): Came =>
    isWon ? { row: oddsFrom === 'LOWEST' ? lowestRow(unit.flat(), rules) : '' } : 'lost';
  if (selection?.kind === 'PLACES')
    return won(unit.every(([number = ''], place) => bare(number) === bare(draw.values[place] ?? '')));
  if (selection?.kind === 'GROUP')
    return won(
      unit.every((numbers, place) =>
        numbers.every((number) => times(number, draw.values) >= (selection.parts?.[place]?.repeat ?? 1)),
      ),
    );
  if (handler === 'PrizesHandler') return prize(unit, draw, rules);
  const hits = unit.flat().filter((number) => isHit(number, draw, handler)).length;
  const most = handler === 'SumHandler' ? 1 : Math.min(selection?.choose ?? 0, draw.values.length);
  return won(hits === most);
}

/** What a single number came to. */
export function cameOfNumber(number: string, draw: Draw, { handler, options }: KeptRules): Came {
  const parts = bareParts(number);
  if (handler === 'ContainsHandler') {
    const isThere = parts.every(
      (one) => times(one, draw.values) >= parts.filter((other) => other === one).length,
    );
    return isThere ? { row: number } : 'lost';
  }
  const told = winners[handler]?.(draw, options);
  if (!told) throw new Untold(`没有名为 ${handler} 的结果处理器`);
  if (told === 'push') return 'push';
  if (told.some((word) => bareParts(word).join() === parts.join())) return { row: number };
  const isTie = handler === 'DragonTigerHandler' && told.includes('和') && options.tie !== 'LOSE';
  return isTie ? 'push' : 'lost';
}
