import { anchors } from './anchors.ts';
import { betsProof } from './bets-proof.ts';
import { cleaning } from './cleaning.ts';
import { countFolding, exposureFolding, reportFolding } from './count-folding.ts';
import { drawBeacons } from './draw-beacons.ts';
import { dueSources } from './due-sources.ts';
import { enteredResults } from './entered-results.ts';
import { latePlans } from './late-plans.ts';
import { mails } from './mails.ts';
import type { Part } from './part.ts';
import { planLife } from './plan-life.ts';
import { plansAhead } from './plans-ahead.ts';
import { rebates } from './rebates.ts';
import { sampleCrowd } from './sample-crowd.ts';
import { sealer } from './sealer.ts';
import { settlements } from './settlements.ts';
import { createSignal } from './signal.ts';
import { turnover } from './turnover.ts';

/**
 * All background work of a server, one line each: whatever stands here is run, stopped, measured and told of by /readyz.
 * Some keep something between their turns, so each server has its own.
 */
export const allParts = (): readonly Part[] => {
  const drawn = createSignal();
  return [
    ...planLife(drawn),
    settlements(drawn),
    enteredResults(drawn),
    drawBeacons(),
    latePlans,
    plansAhead,
    dueSources(drawn),
    mails(),
    countFolding(),
    reportFolding(),
    exposureFolding(),
    cleaning,
    rebates,
    turnover,
    betsProof,
    sealer,
    anchors,
    sampleCrowd,
  ];
};
