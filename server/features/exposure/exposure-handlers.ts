import { handlers } from '#server/http/handler.ts';
import { numbersOf } from './phase-numbers.ts';
import { outlookOfPhase } from './phase-outlook.ts';
import { phaseAsked } from './phase-shown.ts';

export const exposureHandlers = handlers({
  listExposure: async ({ db, now }, asked) => {
    const found = await phaseAsked(db, asked, now);
    return found ? numbersOf(db, found) : [];
  },
  getExposureOutlook: async ({ db, now }, asked) => outlookOfPhase(db, await phaseAsked(db, asked, now)),
});
