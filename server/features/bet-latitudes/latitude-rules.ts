import { ZodError } from 'zod';
import type { ResultRule } from '#contract/result-rules.ts';
import { Refusal, wrong } from '#server/refusal.ts';
import { lengthOf } from '../bets/draw-space.ts';
import { optionNamed } from '../result-handlers/option-fields.ts';
import { findResultHandler } from '../result-handlers/registry.ts';
import type { ResultHandler } from '../result-handlers/result-handler.ts';
import { type ReadableLatitude, valuesOf } from '../result-handlers/winning-numbers.ts';

/** The positions that a latitude names, from 0; none where it looks at all there are. */
const positionsOf = (resultIndex: string): number[] =>
  resultIndex === '*' ? [] : resultIndex.split(',').map(Number);

/** The last position that a latitude looks at, counted from 1; 0 where it looks at all there are. */
export const lastPosition = ({ resultIndex }: Pick<ReadableLatitude, 'resultIndex'>): number =>
  Math.max(-1, ...positionsOf(resultIndex)) + 1;

function demandPositions(
  { title, positions: [min, max] }: ResultHandler,
  resultIndex: string,
  rule: ResultRule | null,
): void {
  const positions = positionsOf(resultIndex);
  const twice = positions.find((position, at) => positions.indexOf(position) < at);
  if (twice !== undefined) throw wrong('resultIndex', `结果位置 ${twice} 出现了两次`);
  const last = lastPosition({ resultIndex });
  if (rule && rule.parts.length > 0 && last > lengthOf(rule))
    throw wrong('resultIndex', `开奖结果只有 ${lengthOf(rule)} 个号码，没有位置 ${last - 1}`);
  const count = positions.length;
  if (resultIndex === '*' || (count >= min && count <= max)) return;
  const wanted = min === max ? `${min} 个` : `${min} 至 ${max} 个`;
  throw wrong('resultIndex', `${title}需要 ${wanted}结果位置`);
}

const NO_OBJECT = '处理器参数须为 JSON 对象';

/** A sentence for what is wrong with options. */
function issueOf({ options }: ResultHandler, error: ZodError): string {
  const [issue] = error.issues;
  if (issue?.code === 'unrecognized_keys') return `处理器参数中没有 ${issue.keys.join('、')} 这一项`;
  const [name, ...within] = issue?.path ?? [];
  if (name === undefined) return NO_OBJECT;
  const inside = within.length > 0 ? `的 ${within.join('.')} ` : '';
  return `处理器参数 ${optionNamed(options, String(name))}${inside}${issue?.message ?? '有误'}`;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw wrong('handlerOptions', NO_OBJECT);
  }
}

function demandOptions(handler: ResultHandler, options: string | null | undefined): void {
  const value = options ? jsonOf(options) : {};
  try {
    handler.prepare(value);
  } catch (error) {
    if (error instanceof ZodError) throw wrong('handlerOptions', issueOf(handler, error));
    throw error;
  }
}

/** Refuses a latitude that could not read results of its game, and gives its handler. */
export function demandReadable(latitude: ReadableLatitude, rule: ResultRule | null): ResultHandler {
  const handler = findResultHandler(latitude.resultHandlerName);
  if (!handler)
    throw new Refusal('handlerUnknown', {
      field: 'resultHandlerName',
      values: { name: latitude.resultHandlerName },
    });
  demandPositions(handler, latitude.resultIndex, rule);
  demandOptions(handler, latitude.handlerOptions);
  return handler;
}

/** Refuses a typed result that has not as many numbers as one of the game. */
export function demandWholeResult(rule: ResultRule | null, result: string): void {
  if (rule && lengthOf(rule) !== valuesOf(result).length)
    throw wrong('result', `开奖结果须有 ${lengthOf(rule)} 个号码`);
}
