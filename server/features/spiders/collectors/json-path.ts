import { JSONPath } from 'jsonpath-plus';
import { z } from 'zod';
import { momentOf } from '#server/features/draw-plans/platform-days.ts';
import { Refusal } from '#server/refusal.ts';
import type { Collector } from './collector.ts';
import { drawnResult, momentFrom, numbersOf, readJson } from './drawn-result.ts';

// Scripts are off in any case; two descents in one path could visit a body millions of times.
const isHarmless = (path: string): boolean => path.split('..').length <= 2 && !path.includes('(');
const path = z.string().regex(/^\$/).max(200).refine(isHarmless);
const mapping = z.object({ list: path, phase: path, result: path, openTime: path.optional() });

function mappingOf(options: string | null): z.infer<typeof mapping> {
  let json: unknown = null;
  try {
    json = JSON.parse(options ?? '');
  } catch {
    // Refused below, as anything else that is no mapping.
  }
  const parsed = mapping.safeParse(json);
  if (parsed.success) return parsed.data;
  const message = '采集选项须为 {"list","phase","result","openTime"} 四个 JSONPath 的 JSON，路径以 $ 开头';
  throw new Refusal('invalid', { field: 'options', values: { message } });
}

const select = (json: unknown, path: string): unknown[] => {
  const found: unknown = JSONPath({ path, json: json as object, eval: false, wrap: true });
  return Array.isArray(found) ? found : [];
};

/** Any JSON, by a mapping in the options: where the rows are, and where in a row phase, result and time are. */
export const jsonPath: Collector = {
  name: 'JsonPathSpider',
  desc: '任意 JSON，采集选项给出 list、phase、result、openTime 的 JSONPath',
  fetches: true,
  checkOptions: (options) => {
    mappingOf(options);
  },
  read: (body, { options, timeZone }) => {
    const paths = mappingOf(options);
    const wallTime = (wall: string) => momentOf(wall.replace('T', ' '), timeZone);
    const rows = select(readJson(body), paths.list).filter((row) => typeof row === 'object' && row !== null);
    return rows.flatMap((row) =>
      drawnResult(
        select(row, paths.phase)[0],
        // Several matches, or a list of numbers, are one result.
        numbersOf(...select(row, paths.result).flat()),
        paths.openTime ? momentFrom(select(row, paths.openTime)[0], wallTime) : null,
      ),
    );
  },
};
