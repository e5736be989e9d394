import { handlers } from '#server/http/handler.ts';
import { pageAnchors } from './anchor-store.ts';

export const anchorsHandlers = handlers({
  pageAnchors: ({ db }, filter) => pageAnchors(db, filter),
});
