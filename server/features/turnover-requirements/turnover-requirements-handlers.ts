import { handlers } from '#server/http/handler.ts';
import { openRequirements } from './requirement-store.ts';

export const turnoverRequirementsHandlers = handlers({
  listTurnoverRequirements: ({ db }, { userId }) => openRequirements(db, userId),
});
