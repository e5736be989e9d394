import { deliverDueMails } from '#server/features/mail/deliver-mails.ts';
import { worker } from './workers.ts';

/** Woken by every queued mail, and each minute in case a wake-up was lost. */
export const mailWorker = worker({
  queue: 'mail',
  pollSeconds: 1,
  schedule: '* * * * *',
  run: async (services) => {
    const tried = await deliverDueMails(services);
    if (tried > 0) services.log.info({ tried }, 'mails');
  },
});
