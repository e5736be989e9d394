import { z } from 'zod';
import type { ResultRule } from '#contract/result-rules.ts';
import { wrong } from '#server/refusal.ts';
import { beaconAfter, beaconOptions, type PromisedBeacon } from './beacon.ts';

/** What a spider that draws by itself is told. */
export const drawRules = z
  .object({
    /** How many numbers are drawn. */
    count: z.int().min(1).max(100).meta({ title: '开出个数' }),
    /** The numbers there are. */
    pool: z
      .array(z.string().trim().min(1).max(30))
      .min(1)
      .max(1_000)
      .meta({ title: '号码范围', description: '如 01-49 或 1,2,3' }),
    /** Whether a number may be drawn again. */
    repeat: z.boolean().default(false).meta({ title: '可重复开出' }),
    /** A public value that is mixed into each draw. */
    beacon: beaconOptions.optional().meta({
      title: '公开随机值',
      description:
        '混入开奖之后才公布的公开随机值，JSON：{"url": 含 {round} 或 {time} 的地址, "value": JSONPath, "genesis": 首轮的秒数, "period": 每轮秒数, "waitMinutes": 最多等待的分钟数}',
    }),
  })
  .refine(
    ({ pool }) => new Set(pool).size === pool.length && pool.every((each) => /^[0-9A-Za-z]+$/.test(each)),
  )
  .refine(({ count, pool, repeat }) => repeat || count <= pool.length);

/** How the local draws of a game are made, as its spider's options say. */
export type DrawOptions = z.infer<typeof drawRules>;

/** What one local draw takes from what, as it was promised. */
export interface DrawRules extends Omit<DrawOptions, 'beacon'> {
  readonly beacon?: PromisedBeacon;
}

/** The rules of the draw at a time, in epoch seconds. */
export const rulesAt = ({ beacon, ...rest }: DrawOptions, drawTime: number): DrawRules =>
  beacon ? { ...rest, beacon: beaconAfter(beacon, drawTime) } : rest;

/** Reads a spider's options; nothing when they are none of a local draw. */
export function drawOptionsOf(options: string | null): DrawOptions | undefined {
  try {
    return drawRules.safeParse(JSON.parse(options ?? '')).data;
  } catch {
    return undefined;
  }
}

/**
 * Why local draws are not those of their game: each result must come as often as the game's rule says, by which odds are judged. Nothing
 * where they are, and where the game has no rule.
 */
export function drawMistake(
  { count, pool, repeat }: Pick<DrawOptions, 'count' | 'pool' | 'repeat'>,
  rule: ResultRule | null,
): string | undefined {
  if (rule === null) return undefined;
  const [part, ...others] = rule.parts;
  if (!part || others.length > 0) return '本地开奖只从一组号码中开出，不能用于结果由几部分组成的游戏';
  if (part.count !== count) return `本地开奖开出 ${count} 个号码，游戏的开奖结果是 ${part.count} 个`;
  const known = new Set(part.of);
  const stranger = pool.find((number) => !known.has(number));
  if (stranger !== undefined) return `本地开奖的号码 ${stranger} 不在游戏的开奖结果之内`;
  const drawn = new Set(pool);
  const missing = part.of.find((number) => !drawn.has(number));
  if (missing !== undefined) return `本地开奖的号码范围缺少 ${missing}，须与游戏的开奖结果相同`;
  // Of a single number it says nothing.
  if (count === 1 || repeat === part.repeat) return undefined;
  const words = (may: boolean) => (may ? '可重复' : '不可重复');
  return `本地开奖的号码${words(repeat)}，游戏的开奖结果${words(part.repeat)}`;
}

/** Reads a spider's options, throwing `Refusal` at the field `options`. */
export function demandDrawOptions(options: string | null): DrawOptions {
  const found = drawOptionsOf(options);
  if (found) return found;
  const message = [
    '采集选项须为 {"count": 个数, "pool": ["号码", …], "repeat": 是否可重复}，号码不重复，个数不超过号码数（可重复时除外）',
    '要混入公开随机值时另加 "beacon": {"url": 含 {round} 或 {time} 的地址, "value": JSONPath, "genesis": 首轮的秒数, "period": 每轮秒数, "waitMinutes": 最多等待的分钟数}',
  ].join('；');
  throw wrong('options', message);
}
