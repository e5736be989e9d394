import { applyCorrection } from '#contract/corrections.ts';
import { lacking } from '#server/access/verdict.ts';
import { handlers, prepared } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { carryOut, foresee } from './correct.ts';

export const correctionsHandlers = handlers({
  previewCorrection: async ({ db }, wanted) => (await foresee(db, wanted)).preview,

  applyCorrection: prepared(async ({ db }, { digest, reason, ...wanted }) => {
    const foreseen = await foresee(db, wanted);
    if (foreseen.preview.digest !== digest) throw new Refusal('correctionStale', { field: 'digest' });
    return (context) => carryOut(context, foreseen, reason);
  }),

  // A record says nothing of what was bet on it; what it does to slips is decided here.
  resolveDrawRecord: prepared(async ({ db }, { id: recordId, result, reason }) => {
    const foreseen = await foresee(db, { recordId, result });
    return (context) => {
      if (foreseen.ground.hasSlips && !context.operator.may(applyCorrection))
        throw lacking('applyCorrection');
      return carryOut(context, foreseen, reason);
    };
  }),
});
