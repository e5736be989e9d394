import { demandDrawRules } from '#server/features/draw-plans/draw-rules.ts';
import type { Collector } from './collector.ts';

/** Draws by itself; see `draw-plans/commitment.ts`. It fetches nothing and reads nothing. */
export const localDraw: Collector = {
  name: 'LocalDrawSpider',
  desc: '本地随机开奖：投注前公布承诺值，开奖后公开种子供任何人验证；采集选项 {"count","pool","repeat"}',
  fetches: false,
  checkOptions: (options) => {
    demandDrawRules(options);
  },
  read: () => [],
};
