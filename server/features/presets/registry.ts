import { beiJingPk10 } from './bei-jing-pk10.ts';
import { chongQingSsc } from './chong-qing-ssc.ts';
import { doubleColour } from './double-colour.ts';
import { guangDong11x5 } from './guang-dong-11x5.ts';
import { happy8 } from './happy-8.ts';
import { jiangSuK3 } from './jiang-su-k3.ts';
import { markSix } from './mark-six.ts';
import { pc28 } from './pc28.ts';
import type { Preset } from './preset.ts';
import { welfare3d } from './welfare-3d.ts';

/** Every preset, in the order operators choose from. */
export const presets: readonly Preset[] = [
  beiJingPk10,
  chongQingSsc,
  jiangSuK3,
  guangDong11x5,
  pc28,
  markSix,
  welfare3d,
  doubleColour,
  happy8,
];
