import type { Collector } from './collector.ts';
import { fiveHundredXml } from './five-hundred-xml.ts';
import { jsonPath } from './json-path.ts';
import { localDraw } from './local-draw.ts';
import { openCode } from './open-code.ts';
import { preDraw } from './pre-draw.ts';
import { sportsLottery } from './sports-lottery.ts';
import { welfareLottery } from './welfare-lottery.ts';

/** Every collector there is. */
export const collectors: readonly Collector[] = [
  welfareLottery,
  sportsLottery,
  openCode,
  preDraw,
  fiveHundredXml,
  jsonPath,
  localDraw,
];

/** The collector of this name; nothing when there is none. */
export const collectorNamed = (name: string): Collector | undefined =>
  collectors.find((collector) => collector.name === name);
