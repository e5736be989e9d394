import type { Collector } from './collector.ts';
import { at, drawnResult, fieldOf, momentFrom, numbersOf, readJson, rowsOf } from './drawn-result.ts';

/** The 168 family: `result.data`, one object or a list, of `preDrawIssue`, `preDrawCode`, `preDrawTime`. */
export const preDraw: Collector = {
  name: 'PreDrawSpider',
  desc: '168 系列接口：preDrawIssue / preDrawCode / preDrawTime',
  fetches: true,
  read: (body) => {
    const json = readJson(body);
    const data = at(json, 'result', 'data') ?? at(json, 'data') ?? json;
    return rowsOf(data, (row) => 'preDrawIssue' in row).flatMap((row) =>
      drawnResult(row.preDrawIssue, numbersOf(row.preDrawCode), momentFrom(fieldOf(row, 'preDrawTime'))),
    );
  },
};
