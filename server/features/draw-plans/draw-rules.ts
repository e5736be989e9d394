import { z } from 'zod';
import { Refusal } from '#server/refusal.ts';

const rules = z
  .object({
    /** How many numbers are drawn. */
    count: z.int().min(1).max(100),
    /** The numbers there are. */
    pool: z.array(z.string().trim().min(1).max(30)).min(1).max(1_000),
    /** Whether a number may be drawn again. */
    repeat: z.boolean().default(false),
  })
  .refine(
    ({ pool }) => new Set(pool).size === pool.length && pool.every((each) => /^[0-9A-Za-z]+$/.test(each)),
  )
  .refine(({ count, pool, repeat }) => repeat || count <= pool.length);

/** What a local draw takes from what. */
export type DrawRules = z.infer<typeof rules>;

/** Reads a spider's options; nothing when they are none of a local draw. */
export function drawRulesOf(options: string | null): DrawRules | undefined {
  try {
    return rules.safeParse(JSON.parse(options ?? '')).data;
  } catch {
    return undefined;
  }
}

/** The same, throwing `Refusal` at the field `options`. */
export function demandDrawRules(options: string | null): DrawRules {
  const found = drawRulesOf(options);
  if (found) return found;
  const message =
    '采集选项须为 {"count": 个数, "pool": ["号码", …], "repeat": 是否可重复}，号码不重复，个数不超过号码数（可重复时除外）';
  throw new Refusal('invalid', { field: 'options', values: { message } });
}
