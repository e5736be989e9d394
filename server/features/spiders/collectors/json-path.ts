import { z } from 'zod';
import { momentOf } from '#server/platform-days.ts';
import { wrong } from '#server/refusal.ts';
import { optionNamed } from '../../result-handlers/option-fields.ts';
import { bounded, firstAt, jsonPathMistake, selectAt } from '../json-query.ts';
import type { Collector } from './collector.ts';
import { drawnResult, momentFrom, numbersOf, readJson } from './drawn-result.ts';

const path = z.string().max(200);
const rfc = 'RFC 9535 的 JSONPath，不执行脚本';
const mapping = z.object({
  list: path.meta({ title: '开奖列表', description: `${rfc}，如 $.data[*]；筛选如 $.data[?@.code=='ssq']` }),
  phase: path.meta({ title: '期号', description: '从列表的每一行起算，如 $.issue' }),
  result: path.meta({ title: '开奖结果', description: "从每一行起算，如 $.code；名称如 $['a','b']" }),
  openTime: path.optional().meta({ title: '开奖时间', description: '从每一行起算，如 $.time；可不填' }),
});
type Mapping = z.infer<typeof mapping>;

const refused = (message: string) => wrong('options', message);

function parsed(options: string | null): Mapping {
  let json: unknown = null;
  try {
    json = JSON.parse(options ?? '');
  } catch {
    // Refused below, like all else that is no mapping.
  }
  const found = mapping.safeParse(json);
  if (found.success) return found.data;
  throw refused(
    '采集选项须为 {"list","phase","result","openTime"} 四个 JSONPath（RFC 9535）的 JSON，每个不超过 200 个字符',
  );
}

function mappingOf(options: string | null): Mapping {
  const paths = parsed(options);
  for (const [name, query] of Object.entries(paths)) {
    const mistake = jsonPathMistake(query);
    if (mistake)
      throw refused(`采集选项的 ${optionNamed(mapping, name)}不是有效的 JSONPath（RFC 9535）：${mistake}`);
  }
  return paths;
}

/** Any JSON, by a mapping in the options: where the rows are, and where in a row phase, result and time are. */
export const jsonPath: Collector = {
  name: 'JsonPathSpider',
  desc: '任意 JSON，采集选项给出 list、phase、result、openTime 的 JSONPath（RFC 9535）',
  fetches: true,
  options: mapping,
  checkOptions: (options) => {
    mappingOf(options);
  },
  read: (body, { options, timeZone }) => {
    const paths = mappingOf(options);
    const wallTime = (wall: string) => momentOf(wall.replace('T', ' '), timeZone);
    const json = bounded(readJson(body));
    const rows = selectAt(json, paths.list).filter((row) => typeof row === 'object' && row !== null);
    return rows.flatMap((row) =>
      drawnResult(
        firstAt(row, paths.phase),
        // Several matches, or a list of numbers, are one result.
        numbersOf(...selectAt(row, paths.result).flat()),
        paths.openTime ? momentFrom(firstAt(row, paths.openTime), wallTime) : null,
      ),
    );
  },
};
