import { handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import * as store from './outbox-store.ts';
import { queueMail } from './queue-mail.ts';

export const mailHandlers = handlers({
  sendTemplateMail: async ({ db, vault, remark }, order) => {
    remark({ targetId: await queueMail(db, vault, order) });
    return true as const;
  },

  pageOutboxMails: ({ db }, filter) => store.pageOutboxMails(db, filter),

  retryOutboxMail: async ({ db, now }, { id }) => {
    const mail = await store.lockMail(db, id);
    if (!mail) throw new Refusal('recordNotFound');
    if (mail.status !== 'FAILED') throw new Refusal('mailNotFailed');
    await store.reviveMail(db, id, now);
    return true as const;
  },
});
