import { deliverDueMails, takeDueMail } from '#server/features/mail/deliver-mails.ts';
import { nextMail } from '#server/features/mail/outbox-store.ts';
import type { Part } from './part.ts';

/** How many are on their way from a server. Large providers take three connections of an account at once; what is beyond they refuse for a while. */
export const MAILS_AT_ONCE = 3;

/**
 * The outbox is the queue: its rows say when each attempt is due and who is at it. Mails go out side by side: one that the mail server keeps
 * waiting holds up no other.
 */
export function mails(): Part {
  let senders = 0;
  return {
    name: 'mails',
    what: '发送邮件',
    everyMs: 1_000,
    // An attempt at a silent server takes its time.
    patienceMs: 5 * 60_000,
    nextDue: ({ db }) => nextMail(db),
    run: async (services, turn) => {
      while (senders < MAILS_AT_ONCE && !turn.isStopping()) {
        const send = await takeDueMail(services);
        if (!send) return;
        senders += 1;
        const sending = turn.beside('mail-runs', async () => {
          await send();
          const more = await deliverDueMails(services, turn.isStopping);
          services.log.info({ tried: 1 + more }, 'mails');
        });
        void sending.finally(() => {
          senders -= 1;
        });
      }
    },
  };
}
