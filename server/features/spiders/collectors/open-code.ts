import type { Collector } from './collector.ts';
import { at, drawnResult, fieldOf, momentFrom, numbersOf, readJson, rowsOf } from './drawn-result.ts';

/** The draw feeds' common form: `data[]` of `expect`, `opencode`, `opentime` and perhaps `opentimestamp` in seconds. */
export const openCode: Collector = {
  name: 'OpenCodeSpider',
  desc: '开奖接口通用格式：expect / opencode / opentime',
  fetches: true,
  read: (body) => {
    const json = readJson(body);
    const data = at(json, 'data') ?? json;
    return rowsOf(data, (row) => 'expect' in row).flatMap((row) =>
      drawnResult(
        row.expect,
        numbersOf(row.opencode),
        momentFrom(fieldOf(row, 'opentimestamp')) ?? momentFrom(row.opentime),
      ),
    );
  },
};
