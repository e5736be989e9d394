import { isInBag, numbersHit } from './brute-bets.ts';
import { almanacAnimal } from './mark-six-facts.ts';

/*
 * What one unit of a play way of the presets wins, by the name of the play way and without any of the program's own rules: the name of
 * the prize, `WON` where there is but one, PUSH where the stake comes back.
 */

/** A unit part by part, and the draw as its source gave it. */
interface Case {
  readonly unit: readonly (readonly string[])[];
  readonly drawn: readonly string[];
  readonly date: string;
}

const words = ['零', '一', '二', '三', '四', '五', '六', '七', '八', '九', '十', '十一', '十二'];
const ifSo = (isWon: boolean): string | undefined => (isWon ? 'WON' : undefined);
const plain = (number: string): string => String(Number(number));

/** The places that a name speaks of. */
const spans: Readonly<Record<string, readonly [number, number]>> = {
  ...{ 前二: [0, 2], 后二: [3, 5], 前三: [0, 3], 中三: [1, 4], 后三: [2, 5], 四星: [1, 5], 冠亚: [0, 2] },
};
const seen = (name: string, drawn: readonly string[]) => drawn.slice(...(spans[name.slice(0, 2)] ?? []));

/** How often the numbers of each part come. */
const shapes: Readonly<Record<string, readonly number[]>> = {
  ...{ 组选三: [2, 1], 组选六: [1], 组选24: [1], 组选12: [2, 1], 组选6: [2], 组选4: [3, 1] },
  ...{ 组选120: [1], 组选60: [2, 1], 组选30: [2, 1], 组选20: [3, 1], 组选10: [3, 2], 组选5: [4, 1] },
  ...{ 三同号单选: [3], 二同号复选: [2], 二同号单选: [2, 1] },
};
const shapeOf = (name: string) => shapes[name] ?? shapes[name.slice(2)];

function bag(name: string, { unit, drawn }: Case): string | undefined {
  const wanted = unit.flatMap((numbers, part) =>
    numbers.flatMap((number) => Array<string>(shapeOf(name)?.[part] ?? 0).fill(number)),
  );
  return ifSo(isInBag(wanted, seen(name, drawn)));
}

/** Prizes of 双色球 by the official table. */
function doubleColour({ unit: [reds = [], blues = []], drawn }: Case): string | undefined {
  const red = numbersHit(reds, drawn.slice(0, 6));
  const isBlue = blues.includes(drawn[6] ?? '');
  if (red === 6) return isBlue ? '一等奖' : '二等奖';
  if (red === 5) return isBlue ? '三等奖' : '四等奖';
  if (red === 4) return isBlue ? '四等奖' : '五等奖';
  if (red === 3) return isBlue ? '五等奖' : undefined;
  return isBlue ? '六等奖' : undefined;
}

/** Bets of 六合彩 on six balls and the special one. */
function markSix(name: string, { unit: [unit = []], drawn, date }: Case): string | undefined {
  const [normal, isSpecial] = [numbersHit(unit, drawn.slice(0, 6)), unit.includes(drawn[6] ?? '')];
  if (name === '三中二') return normal === 3 ? '中三' : normal === 2 ? '中二' : undefined;
  if (name === '二中特') return normal === 2 ? '中二' : normal === 1 && isSpecial ? '中特' : undefined;
  if (name === '特串') return normal === 1 && isSpecial ? name : undefined;
  if (name.endsWith('全中')) return ifSo(normal === unit.length);
  if (name.endsWith('不中')) return numbersHit(unit, drawn) === 0 ? name : undefined;
  const came = drawn.map((ball) =>
    name.endsWith('尾') ? `${ball.slice(-1)}尾` : almanacAnimal(Number(ball), date),
  );
  if (!name.endsWith('合肖')) return ifSo(unit.every((each) => came.includes(each)));
  return drawn[6] === '49' ? 'PUSH' : ifSo(unit.includes(came[6] ?? ''));
}

/** 任选: all of the unit was drawn, or where it has more than five numbers all that was drawn is in it. */
const anyOf = ([unit = []]: Case['unit'], drawn: readonly string[]): boolean =>
  unit.length <= drawn.length
    ? unit.every((number) => drawn.includes(number))
    : drawn.every((number) => unit.includes(number));

/** What a unit wins. Numbers are compared without zeros in front. */
export function unitFact(key: string, name: string, given: Case): string | undefined {
  const isBall = (text: string) => /^\d+$/.test(text);
  const bare = (all: readonly string[]) => all.map((each) => (isBall(each) ? plain(each) : each));
  const one = { ...given, unit: given.unit.map(bare), drawn: bare(given.drawn) };
  const [first = []] = one.unit;
  if (key === 'marksix') return markSix(name, one);
  if (key === 'ssq') return doubleColour(one);
  if (key === 'kl8') return `中${words[numbersHit(first, one.drawn.slice(0, 20))]}`;
  if (name === '三军')
    return { 1: '中一', 2: '中二', 3: '中三' }[one.drawn.filter((die) => die === first[0]).length];
  if (name === '特码包三')
    return ifSo(first.includes(String(one.drawn.reduce((sum, each) => sum + Number(each), 0))));
  if (name.endsWith('直选')) return ifSo(one.unit.flat().join() === seen(name, one.drawn).join());
  if (shapeOf(name)) return bag(name, one);
  return ifSo(anyOf(one.unit, seen(name, one.drawn)));
}
