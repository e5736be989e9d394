/*
 * What a draw makes of bets, worked out once more by listing: every unit is written down and looked at by itself. Nothing here comes from
 * the code that settles, so that a mistake there does not prove itself.
 */

/** What handlers are told; each takes some of these. */
export interface KeptOptions {
  readonly from?: number;
  readonly push?: readonly number[];
  readonly measure?: string;
  readonly tripleLoses?: boolean;
  readonly tie?: string;
  readonly circle?: boolean;
  readonly scheme?: string;
  readonly ranges?: Readonly<Record<string, readonly [number, number]>>;
  readonly groups?: readonly number[];
  readonly prizes?: Readonly<Record<string, readonly (readonly number[])[]>>;
}

/** A cap on what is paid together by one scope. */
export interface SharedCap {
  readonly most: string;
  readonly scope: string;
}

/** The copy of a play way's rules that a slip keeps, as it stands in the database. */
export interface KeptRules {
  readonly handler: string;
  readonly options: KeptOptions;
  readonly latitude: { readonly resultIndex: string };
  readonly selection: KeptSelection | null;
  readonly separator: string;
  readonly oddsFrom: string;
  readonly odds: readonly { readonly number: string; readonly odds: string }[];
  readonly caps?: {
    readonly unit?: string;
    readonly line?: string;
    readonly slip?: SharedCap;
    readonly user?: SharedCap;
  };
}

type Lists = readonly (string | readonly string[])[];
/** How several numbers are chosen. */
export interface KeptSelection {
  readonly kind: string;
  readonly choose?: number;
  readonly places?: number;
  readonly distinct?: boolean;
  readonly shared?: boolean;
  readonly of?: Lists;
  readonly parts?: readonly { readonly choose: number; readonly repeat?: number }[];
}

/** What was drawn at the positions that count, and the day (`YYYY-MM-DD`). */
export interface Draw {
  readonly values: readonly string[];
  readonly date: string;
}

/** A result or a rule that nothing can be told by. */
export class Untold extends Error {
  override name = 'Untold';
}

const ANIMALS = ['猴', '鸡', '狗', '猪', '鼠', '牛', '虎', '兔', '龙', '蛇', '马', '羊'];
const lunar = new Intl.DateTimeFormat('en-u-ca-chinese', { timeZone: 'UTC', year: 'numeric' });

/** The animal of a ball: the year's own for 1, 13, 25 …, the one before for 2. */
export function animalOfBall(ball: number, date: string): string {
  const parts = lunar.formatToParts(new Date(`${date}T12:00:00Z`));
  const year = Number(parts.find(({ type }) => String(type) === 'relatedYear')?.value);
  return ANIMALS[(year - ball + 1 + 1200) % 12] ?? '';
}

const BLUE = [3, 4, 9, 10, 14, 15, 20, 25, 26, 31, 36, 37, 41, 42, 47, 48];
const GREEN = [5, 6, 11, 16, 17, 21, 22, 27, 28, 32, 33, 38, 39, 43, 44, 49];

/** `01` and `1` are one number. */
export const bare = (number: string): string => (/^\d+$/.test(number) ? String(BigInt(number)) : number);
/** The parts of a number that is several (`1,1,2`). */
export const bareParts = (number: string): string[] => number.split(/[,\-\s、]+/).map(bare);

export function whole(value: string | undefined): number {
  if (value === undefined || !/^\d{1,6}$/.test(value)) throw new Untold(`不是数字：${value}`);
  return Number(value);
}
const sum = (values: readonly string[]): number => values.reduce((total, value) => total + whole(value), 0);

type Options = KeptRules['options'];
const numbersIn = (value: unknown): number[] => (Array.isArray(value) ? value.map(Number) : []);
const isPushed = (options: Options, value: number): boolean => numbersIn(options.push).includes(value);

function seen(value: number, options: Options): number {
  if (options.measure === 'tail') return value % 10;
  if (options.measure !== 'digitSum') return value;
  return [...String(value)].reduce((total, digit) => total + Number(digit), 0);
}

/** The words that win, or `push` where all of them are given back. */
type Words = readonly string[] | 'push';

const triple = ({ values }: Draw): boolean => values.length === 3 && new Set(values.map(bare)).size === 1;

function shape(values: readonly string[], circle: boolean): string {
  const drawn = values.map(whole).toSorted((a, b) => a - b);
  const different = new Set(drawn).size;
  if (different < 3) return different === 1 ? '豹子' : '对子';
  const [low = 0, middle = 0, high = 0] = drawn;
  const steps = [middle - low === 1, high - middle === 1, circle && low === 0 && high === 9].filter(Boolean);
  return ['杂六', '半顺', '顺子', '顺子'][steps.length] ?? '';
}

function bySum(draw: Draw, options: Options, words: (total: number) => string[]): Words {
  if (options.tripleLoses === true && triple(draw)) return [];
  const total = sum(draw.values);
  return isPushed(options, total) ? 'push' : words(total);
}

const side = (value: number, from: unknown): string => (value >= Number(from) ? '大' : '小');
const parity = (value: number): string => (value % 2 === 0 ? '双' : '单');

function ofOne(draw: Draw, options: Options, word: (value: number) => string): Words {
  const value = whole(draw.values[0]);
  return isPushed(options, value) ? 'push' : [word(seen(value, options))];
}

/** The words or numbers that win, by the handler's name. */
export const winners: Readonly<Record<string, (draw: Draw, options: Options) => Words>> = {
  ValueHandler: ({ values }) => [values.map(bare).join(',')],
  SumHandler: ({ values }) => [String(sum(values))],
  BigSmallHandler: (draw, options) => ofOne(draw, options, (value) => side(value, options.from)),
  OddEvenHandler: (draw, options) => ofOne(draw, options, parity),
  SumBigSmallHandler: (draw, options) => bySum(draw, options, (total) => [side(total, options.from)]),
  SumOddEvenHandler: (draw, options) => bySum(draw, options, (total) => [parity(total)]),
  SumCombinationHandler: (draw, options) =>
    bySum(draw, options, (total) => [side(total, options.from) + parity(total)]),
  SumRangeHandler: ({ values }, { ranges }) => {
    const total = sum(values);
    const named = Object.entries(ranges ?? {});
    return named.filter(([, [from, to]]) => from <= total && total <= to).map(([name]) => name);
  },
  DragonTigerHandler: ({ values: [first, second] }) => {
    const ahead = whole(first) - whole(second);
    return [ahead > 0 ? '龙' : ahead < 0 ? '虎' : '和'];
  },
  TailHandler: ({ values }) =>
    values.flatMap((value) => [`${whole(value) % 10}尾`, String(whole(value) % 10)]),
  ShapeHandler: ({ values }, { circle }) => [shape(values, circle !== false)],
  ZodiacHandler: ({ values, date }, options) =>
    values.some((value) => isPushed(options, whole(value)))
      ? 'push'
      : values.map((value) => animalOfBall(whole(value), date)),
  ColourWaveHandler: (draw, options) =>
    bySum(draw, options, (total) => {
      if (options.scheme === 'REST') return [['红波', '绿波', '蓝波'][total % 3] ?? ''];
      return [BLUE.includes(total) ? '蓝波' : GREEN.includes(total) ? '绿波' : '红波'];
    }),
};
