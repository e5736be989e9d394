import { handlers } from '#server/http/handler.ts';

export const liveHandlers = handlers({
  getHappenings: ({ live, operator }, { since }) => live.read(operator, since),
});
