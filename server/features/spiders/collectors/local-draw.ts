import { demandDrawOptions, drawRules } from '#server/features/draw-plans/draw-rules.ts';
import { wrong } from '#server/refusal.ts';
import { singularPathMistake } from '../json-query.ts';
import type { Collector } from './collector.ts';

/** Draws by itself; see `draw-plans/commitment.ts`. It fetches nothing and reads nothing. */
export const localDraw: Collector = {
  name: 'LocalDrawSpider',
  desc: '本地随机开奖：投注前公布承诺值，开奖后公开种子供任何人验证；采集选项 {"count","pool","repeat"}，可加 "beacon" 混入封盘后才公布的公开随机值',
  fetches: false,
  options: drawRules,
  checkOptions: (options) => {
    const { beacon } = demandDrawOptions(options);
    const mistake = beacon && singularPathMistake(beacon.value);
    if (mistake) throw wrong('options', `beacon 的 value ${mistake}`);
  },
  read: () => [],
};
