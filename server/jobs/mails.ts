import { deliverDueMails } from '#server/features/mail/deliver-mails.ts';
import { nextMail } from '#server/features/mail/outbox-store.ts';
import type { Part } from './part.ts';

/** The outbox is the queue: its rows say when each attempt is due and who is at it. */
export const mails: Part = {
  name: 'mails',
  what: '发送邮件',
  everyMs: 1_000,
  // Mails go out one after the other, and an attempt at a silent server takes its time.
  patienceMs: 5 * 60_000,
  nextDue: ({ db }) => nextMail(db),
  run: async (services, turn) => {
    const tried = await deliverDueMails(services, turn.isStopping);
    if (tried > 0) services.log.info({ tried }, 'mails');
  },
};
